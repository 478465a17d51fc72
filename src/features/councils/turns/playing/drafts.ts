/** The rehearsal's drafts: what was marked in the transcript, handed in as the facilitator would. */
import { callMove, type Move, sayMove } from '../../../../kernel/agents/rehearsal/move.ts';
import { offeredTool } from '../../../../kernel/agents/rehearsal/plays/offered.ts';
import type { Situation } from '../../../../kernel/agents/rehearsal/situation.ts';
import { findChallenges, findDecisions } from '../../claims/markers.ts';
import { draftFromMinutes } from '../engine-drafts.ts';
import type { Minutes } from '../minutes.ts';
import type { PlayedTurn } from './prompt.ts';

export function playDrafts(situation: Situation, turn: PlayedTurn): Move | undefined {
  const tool = offeredTool(situation, 'submit_drafts');
  if (tool === undefined) return undefined;
  const [done] = situation.turn.calls;
  if (done !== undefined)
    return sayMove(
      done.result?.isError === true ? `Not taken: ${done.result.text.slice(0, 300)}` : 'The drafts are handed in.',
    );
  const { actionItems, memory, notes } = draftFromMinutes(minutesFrom(situation, turn));
  return callMove({
    name: tool.name,
    input: {
      actionItems: actionItems.map((item) => ({
        ...item,
        id: undefined,
        contextForTarget: `Rehearsal, no model. ${item.contextForTarget}`,
      })),
      // Given back to a model later without its tags.
      memory: memory.map((entry) => ({ ...entry, decided: entry.decided.map((text) => `Rehearsal: ${text}`) })),
      notes: { ...notes, summary: `${label} ${notes.summary}` },
    },
  });
}

/** Saved files are read long after, where nothing else says it. */
const label = 'Rehearsal: no model spoke here; what was said was found in the project and put together.';

function minutesFrom(situation: Situation, { charter, said, pins }: PlayedTurn): Minutes {
  const words = situation.turns[0]?.userText ?? situation.turn.userText;
  const sections = /the sections of this kind of council: (.+?)\. `openQuestions`/.exec(words)?.[1] ?? '';
  const agents = /one entry for each of (.+?): what they decided/.exec(words)?.[1] ?? '';
  const titles = [...sections.matchAll(/`([^`]+)`/g)].map(([, title]) => title!);
  return {
    charter,
    mode: 'rehearsal',
    bias: biasOf(titles),
    sections: titles,
    agents: agents.split(', ').filter((name) => name !== ''),
    turns: said.map(({ speaker, text }) => ({
      speaker,
      isPrelude: text.startsWith('[Prelude] '),
      body: text.replaceAll(/^\[(?:decision|challenge)\] .*$/gm, ''),
      decisions: findDecisions(text),
      challenges: findChallenges(text),
      citations: [...new Set(text.match(/(?:[\w@.-]+\/)*[\w@.-]+\.\w{1,6}:\d+/g))],
    })),
    pins: pins.flatMap((row) => {
      const [, id, agent, intent] = /^(SP-\d+) \((.+?)\): (.*)$/.exec(row) ?? [];
      return id === undefined ? [] : [{ id, agent: agent!, intent: intent! }];
    }),
  };
}

/** The kinds of council whose items are not plain work. */
function biasOf(titles: readonly string[]): string {
  if (titles.includes('Alternatives considered')) return 'decision-record';
  if (titles.includes('AC list')) return 'machine-readable-ac-list';
  if (titles.includes('Personas')) return 'ux-design-notes';
  if (titles.includes('Risks')) return 'risk-register';
  return titles.includes('Idea clusters') ? 'brainstorming-document' : '';
}
