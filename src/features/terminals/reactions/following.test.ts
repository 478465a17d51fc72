import { expect, test } from 'vitest';
import type { Listener } from '../../../kernel/terminals/shapes.ts';
import { createDesk, type LiveEntry, type TerminalsFeatureContext } from '../context.ts';
import { terminalIdSchema } from '../contract.ts';
import type { TerminalRecord } from '../store.ts';
import { followTerminals } from './following.ts';

test('what a program asks is told without the secrets that stand in it', () => {
  const id = terminalIdSchema.parse('mo-20261122-101600-bbbb');
  const desk = createDesk();
  desk.records.set(id, { id, project: null } as unknown as TerminalRecord);
  desk.live.set(id, { id, status: 'idle', question: null } as unknown as LiveEntry);
  const listeners: Listener[] = [];
  const told: unknown[] = [];
  const ctx = {
    desk,
    clock: { nowIso: () => '2026-11-22T10:16:00.000Z' },
    events: { publish: (event: unknown) => told.push(event) },
    terminals: { listen: (listener: Listener) => listeners.push(listener) },
  } as unknown as TerminalsFeatureContext;
  followTerminals(ctx);
  const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
  const question = `May Bash be used: curl -H "Authorization: Bearer ${secret}" https://example.org`;
  listeners[0]!.onStatus?.({ terminal: id, status: 'dialog', question, waiting: 0 });
  expect(desk.live.get(id)?.question).toContain('May Bash be used: curl');
  expect(desk.live.get(id)?.question).not.toContain(secret);
  expect(JSON.stringify(told)).not.toContain(secret);
});
