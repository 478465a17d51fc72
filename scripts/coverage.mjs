/** How much of the code the tests run through, judged for all of it and for parts that promise it for themselves. */

/** @typedef {{ lines: { total: number, covered: number, pct: number } }} Covered */
/** @typedef {{ passed: boolean, text: string }} Verdict */

/** Least share of lines under src/ (without main/) that the tests must run through, in percent. */
const least = 90;
/** Parts that have to reach it by themselves. */
const parts = ['src/features/meetings', 'src/features/commissions'];

/**
 * @param {Readonly<Record<string, Covered>>} summary the `coverage-summary.json` of a run
 * @param {string} root the package's folder
 * @returns {Verdict[]} one for all of the code, one a part
 */
export function judgeCoverage(summary, root) {
  const { total, ...files } = summary;
  return [
    judge('all of the code', total?.lines ?? { total: 0, covered: 0 }, files, root),
    ...parts.map((part) => {
      const own = Object.fromEntries(Object.entries(files).filter(([file]) => file.startsWith(`${root}/${part}/`)));
      return judge(part, sumOf(own), own, root);
    }),
  ];
}

/** @param {Readonly<Record<string, Covered>>} files */
function sumOf(files) {
  const sum = { total: 0, covered: 0 };
  for (const { lines } of Object.values(files)) {
    sum.total += lines.total;
    sum.covered += lines.covered;
  }
  return sum;
}

/**
 * What was not measured has not passed.
 * @param {string} name
 * @param {{ total: number, covered: number }} lines
 * @param {Readonly<Record<string, Covered>>} files
 * @param {string} root
 * @returns {Verdict}
 */
function judge(name, { total, covered }, files, root) {
  const share = total === 0 ? 0 : Math.floor((covered / total) * 10_000) / 100;
  const passed = share >= least;
  const told = `${name}: ${share} % of ${total} lines; at least ${least} % are needed`;
  return { passed, text: passed ? told : `${told}\n${thinnest(files, root)}` };
}

/**
 * The ten files with the most lines that no test runs through.
 * @param {Readonly<Record<string, Covered>>} files
 * @param {string} root
 */
function thinnest(files, root) {
  return Object.entries(files)
    .map(([file, { lines }]) => ({ file: file.slice(root.length + 1), open: lines.total - lines.covered }))
    .toSorted((a, b) => b.open - a.open)
    .slice(0, 10)
    .map(({ file, open }) => `  ${String(open).padStart(5)} lines without a test in ${file}`)
    .join('\n');
}
