/** Tests that passed only at their second try: vitest counts them as passed, and here nobody overlooks them. */

/**
 * @typedef {{ fullName: string, status: string, failureMessages?: readonly string[] | null }} Result
 * @typedef {{ name: string, assertionResults: readonly Result[] }} FileResult `name` is the whole path
 */

/**
 * One for each: its file and name, then the first lines of why it failed before. What passed at once has no failure.
 * @param {string} root
 * @param {readonly FileResult[]} files of vitest's JSON report
 * @returns {string[]}
 */
export function findSecondTries(root, files) {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && (failureMessages ?? []).length > 0)
      .map(({ fullName, failureMessages }) => {
        const why = (failureMessages?.[0] ?? '').split('\n').slice(0, 8);
        return [`${name.replace(`${root}/`, '')} > ${fullName}`, ...why.map((line) => `    ${line}`)].join('\n');
      }),
  );
}

/**
 * What is printed of them.
 * @param {readonly string[]} tries
 */
export function printSecondTries(tries) {
  return `\n${tries.length} needed a second try:\n${tries.join('\n')}`;
}
