/**
 * Whether each turn of a transcript in words says who made the runner emit it. For text alone; the engine itself asks
 * the seals. Pure.
 */

const header =
  /^\[round (\d+) \/ turn (\d+) \/ (.*) \((.*)\) \/ per-turn-cost (\d+) tokens \/ running-total (\d+) tokens\]$/;
/** Anything that begins as a header does: one that is not whole is a failure, not a piece of somebody's words. */
const headerLike = /^\[round /;
const facts = ['Phase', 'Turn', 'dispatched_via', 'origin'] as const;
type Fact = (typeof facts)[number];

const ofSpeakers = ['subagent', 'interject', 'attendee', 'facilitator'];
const legal: Readonly<Record<string, readonly string[]>> = {
  RESEARCH: ofSpeakers,
  DISCUSS: ofSpeakers,
  CHARTER: ['charter'],
};

/**
 * @param userName where it is given, a turn under that name has to say `origin: interject` or `origin: attendee`
 * @returns a reason for each turn that fails, and one for a transcript without turns
 */
export function checkTranscriptText(text: string, userName?: string): { readonly failures: string[] } {
  const lines = text.split(/\r?\n/);
  const places = [...lines.keys()].filter((index) => headerLike.test(lines[index]!));
  if (places.length === 0) return { failures: ['the transcript has no turns'] };
  return { failures: places.flatMap((place) => failureOf(lines, place, userName) ?? []) };
}

function failureOf(lines: readonly string[], place: number, userName: string | undefined): string | undefined {
  const at = `line ${place + 1}`;
  const found = header.exec(lines[place]!);
  if (found === null) return `${at}: the header of the turn is not whole`;
  const who = `${at}: turn ${found[2]} of ${found[3]}`;
  const said = factsBelow(lines, place + 1);
  const phase = said.get('Phase');
  if (phase === undefined) return `${who} has no Phase line`;
  const via = said.get('dispatched_via');
  const allowed = legal[phase];
  if (allowed !== undefined && (via === undefined || !allowed.includes(via))) {
    const given = via === undefined ? 'no dispatched_via line' : `dispatched_via: ${via}`;
    return `${who} (${phase}) has ${given}; expected ${allowed.join(', ')}`;
  }
  const isPerson = userName !== undefined && found[3]!.trim().toLowerCase() === userName.trim().toLowerCase();
  if (!isPerson || ['interject', 'attendee'].includes(said.get('origin') ?? '')) return undefined;
  return `${who} bears the person's name, but its origin is neither interject nor attendee`;
}

/** The facts that stand right below a header, each once and in their order. What comes after is what was said. */
function factsBelow(lines: readonly string[], from: number): ReadonlyMap<Fact, string> {
  const found = new Map<Fact, string>();
  let next = 0;
  for (let index = from; index < lines.length; index += 1) {
    const [, key, value] = /^([A-Za-z_]+): (.*)$/.exec(lines[index]!) ?? [];
    const place = facts.indexOf(key as Fact);
    if (place < next) break;
    found.set(facts[place]!, value!.trim());
    next = place + 1;
  }
  return found;
}
