/**
 * The program's entry. `guild-hall rule` stands in people's scripts, often many times in one, and so has to start at
 * once: whatever else the program can do is loaded only for other commands.
 */
const [word, ...rest] = process.argv.slice(2);
if (word === 'rule') {
  const { runRuleHere } = await import('./rule.ts');
  process.exitCode = await runRuleHere(rest);
} else {
  await import('./command-line.ts');
}
