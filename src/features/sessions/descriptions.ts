/** The operations of sessions, described once for every door. */
export {
  sessionCancel,
  sessionChoose,
  sessionNew,
  sessionSay,
  sessionAnswer,
  sessionWithdraw,
} from './descriptions/talking.ts';
export { sessionClose, sessionRemove, sessionRename, sessionReopen } from './descriptions/keeping.ts';
export {
  sessionAgents,
  sessionChanges,
  sessionExport,
  sessionImage,
  sessionList,
  sessionMessages,
  sessionShow,
  sessionSwitch,
} from './descriptions/reading.ts';
