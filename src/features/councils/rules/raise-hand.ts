/**
 * Raised hands: one is honoured in its own cycle, the others wait and are the first action of the next. Pure.
 *
 * The ledger is text, one line for what became of the hands of a cycle: `HONORED_1="A:C"`, `DEFERRED_1="B:D;C:A"`, and
 * `SETTLED_2="B:D"` for one that had waited and was honoured in cycle 2. Names are escaped like parts of an address.
 */
import { oneLine } from './header.ts';

export interface Hand {
  readonly requesting: string;
  readonly target: string;
}

/** A hand that waits since that cycle. */
export interface WaitingSince extends Hand {
  readonly cycle: number;
}

export type HandStatus = 'honored' | 'deferred-to-next-cycle';

interface CycleHands {
  readonly honored: readonly Hand[];
  readonly deferred: readonly Hand[];
  readonly settled: readonly Hand[];
}

/** By cycle. */
export type RaiseHandLedger = ReadonlyMap<number, CycleHands>;

const raised = /\[raise-hand\s{0,20}(?:→|->)\s{0,20}respond to ([^\]\n]{1,300})\]/;

/** Whom the first raised hand of a turn asks for; undefined where there is none. */
export function detectRaiseHand(body: string): string | undefined {
  const target = raised.exec(body)?.[1]?.trim();
  return target === '' ? undefined : target;
}

/** Lines that are none of a ledger are passed over. */
export function parseLedger(text: string): RaiseHandLedger {
  const ledger = new Map<number, CycleHands>();
  for (const line of text.split('\n')) {
    const found = /^(HONORED|DEFERRED|SETTLED)_(\d{1,9})="([^"]*)"$/.exec(line.trim());
    if (found === null) continue;
    const cycle = Number(found[2]);
    const hands = found[3]!.split(';').flatMap(parseHand);
    const part = ({ HONORED: 'honored', DEFERRED: 'deferred', SETTLED: 'settled' } as const)[found[1] as 'HONORED'];
    ledger.set(cycle, { ...handsOf(ledger, cycle), [part]: hands });
  }
  return ledger;
}

export function printLedger(ledger: RaiseHandLedger): string {
  const cycles = [...ledger].toSorted(([a], [b]) => a - b);
  return cycles
    .flatMap(([cycle, hands]) => [
      printPart('HONORED', cycle, hands.honored),
      printPart('DEFERRED', cycle, hands.deferred),
      printPart('SETTLED', cycle, hands.settled),
    ])
    .join('');
}

/**
 * The first hand of a cycle is honoured, the others wait. One that has waited since an earlier cycle is honoured
 * besides, and waits no longer.
 */
export function recordRaiseHand(
  ledger: RaiseHandLedger,
  { cycle, requesting, target }: WaitingSince,
): { readonly ledger: RaiseHandLedger; readonly status: HandStatus } {
  const hand = { requesting, target };
  if (pendingHands(ledger, cycle).some((other) => isSame(other, hand))) {
    return { ledger: settleHand(ledger, cycle, hand), status: 'honored' };
  }
  const isFirst = handsOf(ledger, cycle).honored.length === 0;
  return {
    ledger: withHand(ledger, cycle, isFirst ? 'honored' : 'deferred', hand),
    status: isFirst ? 'honored' : 'deferred-to-next-cycle',
  };
}

/** Notes that a hand waits no longer: it was honoured in that cycle, or its target cannot speak any more. */
export function settleHand(ledger: RaiseHandLedger, cycle: number, { requesting, target }: Hand): RaiseHandLedger {
  return withHand(ledger, cycle, 'settled', { requesting, target });
}

/** Hands that wait since cycles before `cycle`, oldest first. */
export function pendingHands(ledger: RaiseHandLedger, cycle: number): WaitingSince[] {
  const cycles = [...ledger].toSorted(([a], [b]) => a - b);
  const waiting: WaitingSince[] = [];
  for (const [since, { deferred, settled }] of cycles) {
    for (const hand of settled) {
      const place = waiting.findIndex((other) => isSame(other, hand));
      if (place !== -1) waiting.splice(place, 1);
    }
    if (since < cycle) waiting.push(...deferred.map((hand) => ({ cycle: since, ...hand })));
  }
  return waiting;
}

/**
 * Who speaks now and for the rest of the round: the target, then those after the requester. The target keeps its own
 * slot. Undefined where one of the two is not invited.
 */
export function planInsertion(names: readonly string[], { requesting, target }: Hand): string[] | undefined {
  const from = names.indexOf(requesting);
  return from === -1 || !names.includes(target) ? undefined : [target, ...names.slice(from + 1)];
}

/** @param status `honored`, `deferred-to-next-cycle`, or another word of the engine */
export function printArbitration({ cycle, requesting, target }: WaitingSince, status: string): string {
  return oneLine(`[raise-hand cycle=${cycle} requesting=${requesting} target=${target} status=${status}]`);
}

function handsOf(ledger: RaiseHandLedger, cycle: number): CycleHands {
  return ledger.get(cycle) ?? { honored: [], deferred: [], settled: [] };
}

function withHand(ledger: RaiseHandLedger, cycle: number, part: keyof CycleHands, hand: Hand): RaiseHandLedger {
  const hands = handsOf(ledger, cycle);
  return new Map(ledger).set(cycle, { ...hands, [part]: [...hands[part], hand] });
}

function isSame(a: Hand, b: Hand): boolean {
  return a.requesting === b.requesting && a.target === b.target;
}

function printPart(word: string, cycle: number, hands: readonly Hand[]): string {
  if (hands.length === 0) return '';
  const pairs = hands.map(({ requesting, target }) => `${escapeName(requesting)}:${escapeName(target)}`);
  return `${word}_${cycle}="${pairs.join(';')}"\n`;
}

function parseHand(pair: string): Hand[] {
  const [requesting, target, ...more] = pair.split(':');
  if (!requesting || !target || more.length > 0) return [];
  return [{ requesting: unescapeName(requesting), target: unescapeName(target) }];
}

function escapeName(name: string): string {
  return name.replaceAll(
    /[%:;"\p{Cc}]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function unescapeName(text: string): string {
  return text.replaceAll(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
