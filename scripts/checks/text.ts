/** Checks that read text: words that may not occur, and names of files. */
import { homedir } from 'node:os';
import { dirname, sep } from 'node:path';
import { type Check, runTool } from './step.ts';
import { isPlanted, isSource, linesOf, listFiles, type TextLine } from './tree.ts';

// Put together from pieces, so that this file does not hold what it looks for.
const disablers = new RegExp(
  [
    '(ox|es|ts)lint-' + 'disable',
    '@ts-' + '(ignore|nocheck|expect-error)',
    '(c8|v8|istanbul) ' + 'ignore',
    'oxfmt-' + 'ignore',
    'prettier-' + 'ignore',
    '@knip' + 'ignore',
  ].join('|'),
);

/** Comments that switch a check off. */
export const disablesCheck: Check = {
  name: 'disables',
  holds: 'no comment switches a check off',
  find: async (root) => {
    const files = (await listFiles(root)).filter((file) => isSource(file) && !isPlanted(file));
    return findLines(
      root,
      files,
      ({ text }) => disablers.test(text),
      'switches a check off: change the code, or argue for the rule to change',
    );
  },
};

const featureNouns = /meeting|commission|council|gathering/i;
/** One description of config.yaml holds what a person sets of features; see docs/decisions/0012-settings.md. */
const mayNameFeatures = /^src\/kernel\/projects\/feature-settings(\.test)?\.ts$/;

export const nounsCheck: Check = {
  name: 'kernel-nouns',
  holds: 'the kernel names no feature',
  find: async (root) => {
    const files = (await listFiles(root)).filter(
      (file) => file.startsWith('src/kernel/') && !mayNameFeatures.test(file),
    );
    const inNames = files
      .filter((file) => featureNouns.test(file))
      .map((file) => `${file}: the name of a feature in the name of a kernel file`);
    const inText = findLines(
      root,
      files,
      ({ text }) => featureNouns.test(text),
      'the kernel knows no feature: say "activity", or move this to the feature',
    );
    return [...inNames, ...inText];
  },
};

const emptyNames = /(^|[/.-])(utils?|helpers?|services?|managers?|misc|common|shared|stuff)([/.-]|$)/i;
const wellFormed = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.(ts|tsx)$/;

export const namesCheck: Check = {
  name: 'names',
  holds: 'files say what they do: no utils, helpers, manager, service; kebab-case',
  find: async (root) => {
    const files = (await listFiles(root)).filter(
      (file) => /^(src|web|test|bench|scripts)\//.test(file) && isSource(file),
    );
    return files.flatMap((file) => {
      const findings: string[] = [];
      if (!isPlanted(file) && emptyNames.test(file))
        findings.push(`${file}: the name says nothing; name the file after what it does`);
      const base = file.slice(file.lastIndexOf('/') + 1);
      if (/\.tsx?$/.test(base) && !wellFormed.test(base))
        findings.push(`${file}: file names are lower-case words joined by hyphens`);
      return findings;
    });
  },
};

export const leaksCheck: Check = {
  name: 'leaks',
  holds: "no tracked file names a machine's paths, a private registry or a key",
  find: async (root) => {
    const files = (await listFiles(root)).filter((file) => file !== 'package-lock.json');
    const places = [...placesOf(root), ...(await privateRegistry(root))];
    const key = new RegExp('sk-ant-' + '[a-z0-9]{3,}-[A-Za-z0-9_-]{40,}');
    return [
      ...places.flatMap((place) =>
        findLines(root, files, ({ text }) => text.includes(place), 'names a place on this machine'),
      ),
      ...findLines(root, files, ({ text }) => key.test(text), 'looks like a real key'),
    ];
  },
};

/** Texts that occur only where somebody's machine was copied into a file. */
function placesOf(root: string): string[] {
  const above = dirname(root);
  const isShort = above.lastIndexOf(sep) === 0 && above.length > 1;
  const isOrdinary = ['/tmp', '/home', '/Users', '/opt', '/srv', '/var', '/mnt', '/usr', '/workspace'].includes(above);
  const home = homedir();
  return [
    `${root}${sep}`,
    ...(home.length > 1 ? [`${home}${sep}`] : []),
    ...(isShort && !isOrdinary ? [`${above}${sep}`] : []),
  ];
}

async function privateRegistry(root: string): Promise<string[]> {
  const { stdout, exitCode } = await runTool(root, 'npm', ['config', 'get', 'registry']);
  if (exitCode !== 0 || !URL.canParse(stdout.trim())) return [];
  const { host } = new URL(stdout.trim());
  return host === 'registry.npmjs.org' ? [] : [host];
}

function findLines(
  root: string,
  files: readonly string[],
  isFound: (line: TextLine) => boolean,
  advice: string,
): string[] {
  return [...linesOf(root, files)].filter(isFound).map(({ file, line }) => `${file}:${line}: ${advice}`);
}
