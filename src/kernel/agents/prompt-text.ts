import type { PromptPart } from './contract.ts';

/** The words of a prompt, without its images. */
export function promptText(prompt: string | readonly PromptPart[]): string {
  if (typeof prompt === 'string') return prompt;
  return prompt.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
