/** A prompt as the agent's program gets it: what goes with the words first, the person's own words last and unchanged. */
import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import type { OpenOptions, PromptPart } from '../../contract.ts';
import { promptText } from '../../prompt-text.ts';
import { planNotice } from './modes.ts';
import { readSkills, skillFor } from './skills.ts';

export type PromptContent = SDKUserMessage['message']['content'];

type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export async function contentOf(
  open: OpenOptions,
  prompt: string | readonly PromptPart[],
  mode: string,
): Promise<PromptContent> {
  const words = promptText(prompt);
  const skill = words.trimStart().startsWith('/') ? skillFor(await readSkills(open.plugins ?? []), words) : undefined;
  const notes = [skill, mode === 'plan' ? planNotice : undefined].filter((note) => note !== undefined);
  const images = typeof prompt === 'string' ? [] : prompt.filter((part) => part.type === 'image');
  if (notes.length === 0 && images.length === 0) return words;
  return [
    ...notes.map((note) => ({ type: 'text' as const, text: `<system-reminder>\n${note}\n</system-reminder>` })),
    ...images.map(({ mimeType, data }) => ({
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: mimeType as ImageType, data },
    })),
    ...(words.trim() === '' ? [] : [{ type: 'text' as const, text: words }]),
  ];
}
