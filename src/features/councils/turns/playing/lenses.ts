/** How speakers of different roles look at a charter, in the rehearsal. */

export interface Lens {
  readonly role: RegExp;
  /** Searched besides the words of the charter. */
  readonly words: readonly string[];
  /** Opinions. `{topic}` is what the charter is about. */
  readonly views: readonly string[];
  readonly asks: readonly string[];
  readonly proposes: readonly string[];
  readonly doubts: readonly string[];
}

const lenses: readonly Lens[] = [
  {
    role: /security|threat|adversar|red.?team|attack|privacy/i,
    words: ['secret', 'permission'],
    views: [
      'I would look at {topic} as somebody who means harm would: through whatever it reads unchecked.',
      'My first worry is never the code that we wrote, but the text that we let in.',
    ],
    asks: [
      'Who can write what {topic} reads, and would we notice?',
      'What is the worst that a patient attacker gets out of this?',
    ],
    proposes: [
      'I propose that nothing here is trusted by default, and that each exception is written down with its reason.',
      'I propose a test that tries the attack, before we argue about the defence.',
    ],
    doubts: [
      'I would not call that safe for want of somebody who tried.',
      'I am not comfortable with a rule that is asked of a program instead of being enforced on it.',
    ],
  },
  {
    role: /test|quality|qa\b|verif|accept/i,
    words: ['test', 'check'],
    views: [
      'I would want to see {topic} fail once before I believe that it works.',
      'For me a promise without a check is a wish.',
    ],
    asks: [
      'How would we notice, the same day, that {topic} has stopped working?',
      'Which case would we be ashamed of not having tried?',
    ],
    proposes: [
      'I propose that we write the failing test first, and let it say what done means.',
      'I propose one end-to-end case and three nasty small ones, no more.',
    ],
    doubts: [
      'I would not accept that without a case that shows it.',
      'I would like a number there, or a way to get one.',
    ],
  },
  {
    role: /product|manager|owner|stake|business|strateg/i,
    words: ['person', 'status'],
    views: [
      'I would ask first who misses {topic} on an ordinary Tuesday.',
      'I care less about how complete {topic} is than about whether somebody finishes what they came for.',
    ],
    asks: ['What would a person stop doing by hand if we had this?', 'What do we leave undone for it?'],
    proposes: [
      'I propose the smallest piece that somebody would thank us for, and a date to look at it again.',
      'I propose that we say what is out, in writing, before we say what is in.',
    ],
    doubts: [
      'I am not convinced that anybody asked for that part.',
      'I would rather ship half of it whole than all of it by halves.',
    ],
  },
  {
    role: /design|ux|ui\b|user|access|interaction|visual/i,
    words: ['page', 'words'],
    views: [
      'I would start from the words that a person reads when {topic} goes wrong.',
      'If {topic} needs a manual, I would call it unfinished.',
    ],
    asks: [
      'What does a person see in the second before and the second after?',
      'How does this sound to somebody who cannot see the page?',
    ],
    proposes: [
      'I propose that we draw the bad day first: empty, slow, refused.',
      'I propose one sentence for each state, read aloud, before anything is built.',
    ],
    doubts: ['I would not hide that behind another setting.', 'I would not ask the person to know what only we know.'],
  },
  {
    role: /deliver|scrum|sprint|lead|coach|oper|release|devops/i,
    words: ['start', 'recovery'],
    views: [
      'I would like {topic} in pieces that can each be taken back.',
      'The plan that I trust is the one whose first step fits into a day.',
    ],
    asks: [
      'What is the first step that is useful by itself?',
      'Who is woken when {topic} breaks, and what do they type?',
    ],
    proposes: [
      'I propose three steps, each released on its own, with a way back written beside it.',
      'I propose that one of us owns it by name, and that the others hold still.',
    ],
    doubts: [
      'I would not begin that on the same day as anything else.',
      'I would want fewer moving parts than we have hands.',
    ],
  },
  {
    role: /data|analyst|research|scien|fact/i,
    words: ['count', 'record'],
    views: [
      'I would measure {topic} before I would change it.',
      'I would keep apart what we read and what we make of it.',
    ],
    asks: ['What do we know of {topic} that is not a guess?', 'Which number would change our minds?'],
    proposes: [
      'I propose that we write down the question and what would answer it, before we look.',
      'I propose to count for a week and to decide after that.',
    ],
    doubts: [
      'I would call that likely and not more.',
      'I have found nothing that says so, and nothing that says the opposite.',
    ],
  },
  {
    role: /writ|doc|editor|story|content|brand/i,
    words: ['guide', 'readme'],
    views: [
      'I would write the paragraph of the guide on {topic} first; where it gets long, the design is wrong.',
      'Names are half of {topic}, I think.',
    ],
    asks: [
      'In which sentence would a newcomer meet {topic} for the first time?',
      'Which word for it would we use to each other?',
    ],
    proposes: [
      'I propose that the text is written before the code, and that both are reviewed together.',
      'I propose one name for it, everywhere.',
    ],
    doubts: ['I would not use two words for one thing.', 'That explains how, and leaves out why.'],
  },
  {
    role: /architect|platform|infrastructure|backend|integration/i,
    words: ['contract', 'boundary'],
    views: [
      'I would keep {topic} behind one contract, so that the next change has one place to happen.',
      'To my mind the shape matters more than the size here: one owner of {topic}, everybody else a reader.',
    ],
    asks: [
      'Which part owns {topic} when two of them want to change it at once?',
      'What would have to move if we changed our minds in half a year?',
    ],
    proposes: [
      'I propose that we settle the contract first and let the rest follow from it.',
      'I propose one small change at the border, and none behind it.',
    ],
    doubts: [
      'I would rather not build a second way in beside the one that is there.',
      'That looks to me like two decisions in one, and I would take them apart.',
    ],
  },
];

const anyLens: Lens = {
  role: /./,
  words: ['limit', 'error'],
  views: [
    'I would take {topic} one step at a time, and look after each.',
    'I would rather we agreed on what {topic} is for than on how it looks.',
  ],
  asks: ['What would make us regret this?', 'What do the others need from {topic} that has not been said?'],
  proposes: [
    'I propose the change that is easiest to take back.',
    'I propose that we try it on one case and look at the result together.',
  ],
  doubts: ['I am not sure that this follows.', 'I would like to hear the other side before we settle it.'],
};

export function lensOf(role: string): Lens {
  return lenses.find((lens) => lens.role.test(role)) ?? anyLens;
}

/** The same number for the same words: what a speaker chooses by. */
export function numberOf(...words: readonly (string | number)[]): number {
  let hash = 2166136261;
  for (const sign of words.join('\n')) hash = Math.imul(hash ^ sign.codePointAt(0)!, 16777619) >>> 0;
  return hash;
}

export function choose<T>(items: readonly T[], number: number): T {
  return items[number % items.length]!;
}

/** One that was not said yet; undefined where all were. */
export function chooseFresh(items: readonly string[], number: number, said: string): string | undefined {
  const from = number % items.length;
  const turned = [...items.slice(from), ...items.slice(0, from)];
  return turned.find((item) => !said.includes(item));
}
