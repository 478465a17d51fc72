/** The event stream in the OpenAPI document. */
import { printCursor, type HallEvent } from '../../../kernel/pure/events.ts';
import { printServerEvent } from '../event-response.ts';
import { problemReferences } from './problems.ts';
import type { Json } from './schemas.ts';

const exampleEvent: HallEvent = {
  type: 'project.added',
  project: 'shop',
  subject: 'project:shop',
  data: { name: 'shop', path: '/home/you/code/shop' },
  epoch: 'k3f9a1',
  seq: 12,
  at: '2026-02-14T09:30:00.000Z',
};

export const eventSchema: Json = {
  type: 'object',
  description: 'Something that has happened, after it was written to disk.',
  required: ['type', 'project', 'subject', 'data', 'epoch', 'seq', 'at'],
  properties: {
    type: { type: 'string', description: 'A past fact: `<noun>.<participle>`' },
    project: { type: ['string', 'null'] },
    subject: { type: ['string', 'null'], description: 'What it is about: `<kind>:<id>`; null for the hall itself' },
    data: { description: 'Depends on the type' },
    epoch: { type: 'string', description: 'Changes when the numbering starts anew' },
    seq: { type: 'integer', minimum: 1, description: '1, 2, 3 … within the epoch, without gaps' },
    at: { type: 'string', format: 'date-time' },
  },
  example: exampleEvent,
};

const cursorSchema: Json = { type: 'string', examples: [printCursor(exampleEvent)] };

const description = `Server-Sent Events. The \`id\` of each is its cursor, its \`event\` the type, its \`data\` an Event as JSON in one line.
The stream begins with an empty event that bears the cursor where it begins. A reader that was away sends the last \`id\` it has as
\`Last-Event-ID\` (browsers and their like do so by themselves) and misses nothing; where that is too long ago, an event \`stream.gap\` says so.
On a quiet stream a comment comes every 15 seconds. A reader that does not keep up is dropped, and catches up when it comes back.`;

export const eventsPath: Json = {
  get: {
    operationId: 'followEvents',
    tags: ['events'],
    summary: 'Follow what happens',
    description,
    parameters: [
      {
        name: 'after',
        in: 'query',
        description: 'Cursor of the last event you have; now when left out',
        schema: cursorSchema,
      },
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'The same, as an EventSource sends it; it goes before `after`',
        schema: cursorSchema,
      },
      { name: 'subject', in: 'query', description: 'Only events about this `<kind>:<id>`', schema: { type: 'string' } },
      { name: 'project', in: 'query', description: 'Only events of this project', schema: { type: 'string' } },
    ],
    responses: {
      '200': {
        description: 'The events, as they happen, until the reader leaves.',
        content: { 'text/event-stream': { schema: { type: 'string' }, example: printServerEvent(exampleEvent) } },
      },
      ...problemReferences(),
    },
  },
};
