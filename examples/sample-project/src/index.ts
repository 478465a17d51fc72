export { type Entry, minutesOf, parseTime, printTime } from './entry.ts';
export { type Daybook, parseDaybook, type Problem } from './parse.ts';
export { type Hours, hoursByTag, hoursByWeek, totalOf } from './report.ts';
export { printCsv } from './csv.ts';
