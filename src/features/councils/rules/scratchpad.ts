/** The scratchpad: pins that everybody sees, each under its own number, the latest content of each. Pure. */
import type { Pin, PinDisposition } from '../contract.ts';

export interface PinWish {
  /** `SP-<n>` whose content is replaced; without it a new pin is made. */
  readonly target?: string | null | undefined;
  readonly content: string;
  readonly intent: string;
  readonly agent: string;
  /** One of `contentTypes`; `md` where it is left out. */
  readonly contentType?: string | undefined;
}

/** The pins afterwards, in order, and the one that was made or replaced; undefined where the target is not there. */
export function allocatePin(
  pins: readonly Pin[],
  { target, content, intent, agent, contentType = 'md' }: PinWish,
): { readonly pins: Pin[]; readonly pin: Pin } | undefined {
  if (target === undefined || target === null) {
    const id = `SP-${Math.max(0, ...pins.map(numberOf)) + 1}`;
    const pin = { id, content, contentType, agent, intent, historyCount: 0, disposition: null };
    return { pins: [...pins, pin], pin };
  }
  const old = pins.find(({ id }) => id === target);
  if (old === undefined) return undefined;
  const pin = { ...old, content, contentType, agent, intent, historyCount: old.historyCount + 1, disposition: null };
  return { pins: pins.map((each) => (each === old ? pin : each)), pin };
}

function numberOf({ id }: Pin): number {
  return Number(/^SP-(\d+)$/.exec(id)?.[1] ?? 0);
}

/** One record a line: `SP-N|content|content_type|pinning_agent|intent|history_count`, separators escaped. */
export function printPins(pins: readonly Pin[]): string {
  return pins
    .map((pin) => {
      const fields = [pin.id, pin.content, pin.contentType, pin.agent, pin.intent, String(pin.historyCount)];
      return `${fields.map(escapeField).join('|')}\n`;
    })
    .join('');
}

/** Undefined for a line that is no record, so that nobody writes over what was not understood. */
export function parsePins(text: string): Pin[] | undefined {
  const pins: Pin[] = [];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [id, content, contentType, agent, intent, count, ...more] = line.split('|').map(unescapeField);
    if (id === undefined || !isPinId(id) || count === undefined || !/^\d{1,9}$/.test(count) || more.length > 0)
      return undefined;
    pins.push({
      id,
      content: content!,
      contentType: contentType!,
      agent: agent!,
      intent: intent!,
      historyCount: Number(count),
      disposition: null,
    });
  }
  return pins;
}

function escapeField(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('|', '%7C').replaceAll('\n', '%0A').replaceAll('\r', '%0D');
}

function unescapeField(text: string): string {
  const signs: Readonly<Record<string, string>> = { '25': '%', '7C': '|', '0A': '\n', '0D': '\r' };
  return text.replaceAll(/%(25|7C|0A|0D)/g, (_, code: string) => signs[code]!);
}

/** `SP-1`, `SP-2`, … */
export function isPinId(id: string): boolean {
  return /^SP-[1-9]\d{0,8}$/.test(id);
}

/** One line a pin, `SP-N: content`, whatever the content holds. */
export function renderPins(pins: readonly Pin[]): string[] {
  return pins.map(({ id, content }) => `${id}: ${inOneLine(content)}`);
}

/** What the transcript keeps of a pin, so that what was replaced stays readable. */
export function printPin({ id, agent, intent, content, historyCount }: Pin): string {
  const what = historyCount === 0 ? 'pinned' : 'replaced';
  return `[pin ${id} ${what} by ${inOneLine(agent)} for: ${inOneLine(intent)}] ${inOneLine(content)}`;
}

function inOneLine(text: string): string {
  return text.replaceAll(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, String.raw`\n`);
}

export const pinPrompt = ['Extract', 'Keep in notes only', 'Drop'] as const;

/** In any case; undefined for anything but the three. */
export function dispositionOf(text: string): PinDisposition | undefined {
  const said = text.trim().toLowerCase();
  if (said === 'keep in notes only') return 'keep';
  return said === 'extract' || said === 'keep' || said === 'drop' ? said : undefined;
}
