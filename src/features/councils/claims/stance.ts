/** Clauses of one who speaks of themselves or for the round: what is wanted or held, what was done, what is only prefaced. */
import type { Words } from './clauses.ts';
import { beforeNouns, hedges, irregularPasts, softModals, verbStems, wants, wishes } from './lexicon.ts';

const adverbs = new Set(
  'also still really fully strongly just honestly personally only even always simply rather quite completely mostly partly much all both already now then never not do did certainly definitely very'.split(
    ' ',
  ),
);
/** Done by words alone, in a talk. */
const saidPasts = new Set(
  'agreed proposed suggested preferred wanted hoped liked loved wondered said meant thought believed felt raised asked argued disagreed called'.split(
    ' ',
  ),
);
const sure = new Set(['sure', 'certain', 'confident', 'positive', 'aware', 'convinced', 'worried', 'afraid', 'told']);

/**
 * `stance`: nothing that could be looked up. `told`: something was done or seen. Words: they are what is said, behind
 * "I think". Undefined: the clause is about something else.
 */
export function judgeFirstPerson(clause: Words): 'stance' | 'told' | Words | undefined {
  const [first = ''] = clause;
  if (clause.slice(1, 4).some((word, at) => word === 'i' && clause[at] === 'and')) return 'stance';
  if (first === 'i') return judgeI(clause.slice(1));
  if (first === "i'm") return judgeAm(clause.slice(1));
  if (first === "i'd" || first === "i'll") return judgeI([first === "i'd" ? 'would' : 'will', ...clause.slice(1)]);
  if (first === "i've") return judgeI(['have', ...clause.slice(1)]);
  if (first === 'we' || first === "we'd" || first === "we'll") return judgeWe(clause);
  return undefined;
}

const withoutAdverbs = (words: Words): Words => {
  const at = words.findIndex((word) => !adverbs.has(word));
  return at < 0 ? [] : words.slice(at);
};

function judgeI(words: Words): 'stance' | 'told' | Words {
  const rest = withoutAdverbs(words);
  const [verb = '', next = ''] = rest;
  if (verb === 'am') return judgeAm(rest.slice(1));
  if (verb === 'have') {
    const what = withoutAdverbs(rest.slice(1));
    return isPast(what[0] ?? '') ? pastOf(what[0]!, what) : 'stance';
  }
  if (softModals.has(verb)) return behindHedge(withoutAdverbs(rest.slice(1)));
  if (wants.has(verb) || next === 'not') return 'stance';
  if (hedges.has(verb)) return behindHedge(rest);
  return isPast(verb) ? pastOf(verb, rest) : 'stance';
}

/** How somebody fared in this talk is no claim; what they measured, shipped or found out is one. */
function pastOf(verb: string, rest: Words): 'stance' | 'told' {
  if (saidPasts.has(verb)) return 'stance';
  const isTold =
    rest.some((word) => /\d/u.test(word)) || (rest.indexOf('that') > 0 && rest.length > 4 && rest[1] !== 'nothing');
  return isTold || done.has(verb) ? 'told' : 'stance';
}
const done = new Set(
  'measured tested ran timed counted verified confirmed reproduced fixed deployed shipped merged built traced profiled proved observed removed deleted changed broke sold interviewed surveyed audited benchmarked'.split(
    ' ',
  ),
);

const isPast = (verb: string): boolean => irregularPasts.has(verb) || (verb.endsWith('ed') && verb !== 'need');

/** Of the hedges those that need no "that". */
const bare = new Set(
  'think believe guess suspect assume suppose reckon bet say know expect understand find feel'.split(' '),
);

/** "I would say that …" says it; "I think of …" and "I agree with …" do not. */
function behindHedge([verb = '', ...rest]: Words): 'stance' | Words {
  if (!hedges.has(verb) || rest.length < 2) return 'stance';
  if (/^(?:with|of|in|on|about|to|for|like|up|back|how|what|why|whether|who|which|where|as|so)$/u.test(rest[0]!))
    return 'stance';
  if (rest[0] === 'that' && rest.length > 2) return rest.slice(1);
  return bare.has(verb) ? rest : 'stance';
}

/** "I am fairly sure that …". */
function judgeAm(words: Words): 'stance' | Words {
  const at = words.findIndex((word) => sure.has(word));
  if (at < 0 || at > 2 || words[0] === 'not') return 'stance';
  const rest = words.slice(at + 1);
  if (rest.length < 3 || /^(?:about|of|by|to|with|for)$/u.test(rest[0]!)) return 'stance';
  return rest[0] === 'that' ? rest.slice(1) : rest;
}

/** What "we" do is told; what we should, want or agree upon here is not. */
function judgeWe(clause: Words): 'stance' | Words | undefined {
  if (clause[0] !== 'we') return 'stance';
  const rest = withoutAdverbs(clause.slice(1));
  const [verb = '', next = ''] = rest;
  if ((verb === 'have' || verb === 'had') && next === 'to') return 'stance';
  if (
    /^(?:know|think|believe|see|assume|suspect|agree|remember|learned|found|heard|saw)$/u.test(verb) &&
    next === 'that'
  )
    return rest.slice(2);
  if (/^(?:think|believe|assume|suspect|guess|seem)$/u.test(verb) && beforeNouns.has(next)) return rest.slice(1);
  if (verb === 'can' && next === 'not') return undefined;
  return wishes.has(verb) && !(verb === 'support' && verbStems.has(verb)) ? 'stance' : undefined;
}
