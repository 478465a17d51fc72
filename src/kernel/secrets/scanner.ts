/**
 * A maintained scanner's recommended rules, run one after the other on a text. The scanner's own runner is left out: it
 * keeps some kilobytes of measurements of every run for as long as the process lives, and obeys comments in the text
 * that switch rules off.
 */
import type { Finding } from './patterns.ts';

/** @returns findings in the text's positions */
export type Scanner = (text: string) => Finding[];

interface Source {
  readonly content: string;
  readonly filePath: string;
  readonly ext: string;
  readonly contentType: 'text';
}

interface Report {
  readonly message: { readonly data?: object };
  readonly range: readonly [number, number];
}

interface RuleContext {
  readonly createTranslator: () => (id: string, data?: object) => { readonly data?: object };
  readonly report: (report: Report) => void;
}

interface Rule {
  readonly meta: { readonly id: string };
  create(context: RuleContext, options: object): { file?(source: Source): unknown };
}

/** By the last part of their names. What they look for is found elsewhere, or is not in texts. */
export const leftOutRules: Readonly<Record<string, string>> = {
  'filter-comments': 'whoever wrote the text must not be able to switch a rule off',
  gcp: 'looks at files of key stores',
  privatekey: 'private keys are found before, also those that are cut off',
};

/** Loaded at the first use: most commands of the hall never look for secrets. */
export async function loadRules(): Promise<readonly Rule[]> {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend');
  return rules as unknown as readonly Rule[];
}

export function shortName(rule: Rule): string {
  return rule.meta.id.replace(/^.*secretlint-rule-/, '');
}

export async function loadScanner(): Promise<Scanner> {
  const rules = (await loadRules()).filter((rule) => leftOutRules[shortName(rule)] === undefined);
  const found: { kind: string; report: Report }[] = [];
  const running = rules.map((rule) => {
    const kind = shortName(rule).replaceAll('-', ' ');
    const createTranslator = () => (_id: string, data?: object) => (data === undefined ? {} : { data });
    return rule.create({ createTranslator, report: (report) => found.push({ kind, report }) }, {});
  });
  return (text) => {
    const source: Source = { content: text, filePath: 'text.md', ext: '.md', contentType: 'text' };
    for (const rule of running) rule.file?.(source);
    return found.splice(0).flatMap(({ kind, report }) => locate(text, kind, report));
  };
}

/**
 * Some rules report a range that begins at the name before the secret and ends in the middle of it, so the value that
 * the report carries is looked for there.
 */
function locate(text: string, kind: string, { message, range }: Report): Finding[] {
  const isSure = !/example|localhost|127\.0\.0\.1/i.test(text.slice(...range));
  const values = Object.values(message.data ?? {}).filter(
    (value): value is string => typeof value === 'string' && value.length >= 8,
  );
  const found = values.flatMap((value) => {
    const start = text.indexOf(value, range[0]);
    return start === -1 ? [] : [{ start, end: start + value.length, kind, isSure }];
  });
  return found.length > 0 ? found : [{ start: range[0], end: range[1], kind, isSure }];
}
