/** What the doctor found to be bad, as items of the inbox. */
import { problemItem, type WaitingItem } from '../inbox/contract.ts';
import { examine, type DoctorContext } from './operations.ts';

export async function problemsFound(ctx: DoctorContext): Promise<WaitingItem[]> {
  const { checks } = await examine(ctx);
  return checks
    .filter(({ state }) => state === 'bad')
    .map(({ name, found, hint }) =>
      problemItem({
        project: /^project (.+)$/.exec(name)?.[1] ?? null,
        subject: { kind: 'check', id: name, title: name },
        title: found,
        detail: hint,
        actions: [
          {
            verb: 'check',
            label: 'Look again',
            operation: 'doctor',
            input: {},
            asks: 'nothing',
            field: null,
            required: false,
            warning: null,
          },
        ],
      }),
    );
}
