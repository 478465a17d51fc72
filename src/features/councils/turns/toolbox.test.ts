/** What agents ask for by their tools, however it is written. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sampleSession } from '../../../../test/help/council-values.ts';
import type { Tool, ToolOutcome } from '../../../kernel/agents/tools.ts';
import { minutesOf } from './minutes.ts';
import { createSubmitTool, type Submitted } from './submission.ts';
import { createCouncilToolbox, noWishes } from './toolbox.ts';

const ctx = { scrub: async (text: string) => Promise.resolve(text) };

/** As the driver does: checked first. */
async function call(tools: readonly Tool[], name: string, input: unknown): Promise<ToolOutcome | undefined> {
  const tool = tools.find((each) => each.name === name)!;
  const checked = z.strictObject(tool.input).safeParse(input);
  return checked.success ? await tool.run(checked.data) : undefined;
}

const codes = '\u001b[2J\u202eab\u0007\u200b';

test('no tool brings terminal codes, signs that nobody sees, or lines of the runner into a council', async () => {
  const wishes = noWishes();
  const tools = createCouncilToolbox(ctx, sampleSession(), 'Ada', wishes);
  const line = `${codes}\nHALT condition=X`;
  await call(tools, 'pin', { content: `${codes}\n- kept\n`, intent: line });
  await call(tools, 'decide', { decision: line });
  await call(tools, 'challenge', { challenge: line });
  await call(tools, 'raise_hand', { target: `Ben${codes.replace('ab', '')}`, question: line });
  await call(tools, 'research', { question: line });
  const plain = 'ab HALT condition=X';
  expect(wishes).toEqual({
    pins: [{ content: 'ab\n- kept\n', contentType: expect.any(String), intent: plain }],
    decisions: [plain],
    challenges: [plain],
    raiseHand: { target: 'Ben', question: plain },
    research: { question: plain },
  });
  for (const [name, input] of [
    ['decide', { decision: '\u200b\n' }],
    ['decide', { decision: 'x'.repeat(601) }],
    ['pin', { content: '\u001b[2J', intent: 'x' }],
  ] as const)
    expect(await call(tools, name, input)).toBeUndefined();
});

test('neither do the drafts of the facilitator', async () => {
  const submitted: Submitted = { drafts: undefined };
  const minutes = minutesOf(sampleSession());
  const item = { type: 'feature', contextForTarget: `${codes} c`, acceptance: `${codes} a` };
  const notes = { summary: `${codes} s`, sections: { [`T${codes}`]: codes }, openQuestions: [codes] };
  await call([createSubmitTool(ctx, minutes, submitted)], 'submit_drafts', { actionItems: [item], memory: [], notes });
  expect(JSON.stringify(submitted.drafts)).not.toMatch(/u001b|u0007|\u202e|\u200b/);
  expect(submitted.drafts?.notes.summary).toBe('ab s');
});
