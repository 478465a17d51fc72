/** The feature's prompts: Markdown files with `{{name}}` places. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MeetingsContext } from './context.ts';

/** @param values what stands at each place; text is put in as it is and is not read for places again */
export async function readPrompt(
  ctx: Pick<MeetingsContext, 'meetingPrompts'>,
  name: 'context' | 'renewal' | 'notes',
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const template = await readFile(join(ctx.meetingPrompts, `${name}.md`), 'utf8');
  return template.trimEnd().replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '');
}
