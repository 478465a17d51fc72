import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldRegistry, type MetaContextRegistry, registryOf } from '../fold/registry.ts';
import type { NewSessionEvent } from '../../sessions/contract.ts';
import { documentOf, mergeDocuments, registryOfDocument, registryOfLogs } from './merge.ts';
import { emptyDocument, parseDocument, printDocument, type RegistryDocument } from './document.ts';

const ids = fc.constantFrom('a', 'b', 'c', 'd');
const names = fc.constantFrom('A', 'B', 'C', 'D', '__proto__', 'constructor');
const sessionIds = fc.constantFrom('s1', 's2', 's3', 's4');
const events: fc.Arbitrary<NewSessionEvent> = fc.oneof(
  fc.record({ type: fc.constant('MetaContextCreated' as const), metaContextId: ids, name: names }),
  fc.record({
    type: fc.constant('SessionAddedToMetaContext' as const),
    metaContextId: ids,
    name: names,
    sessionId: sessionIds as fc.Arbitrary<never>,
  }),
  fc.record({ type: fc.constant('AgentText' as const), text: names }),
);
const documents: fc.Arbitrary<RegistryDocument> = fc
  .uniqueArray(fc.tuple(ids, names, fc.uniqueArray(sessionIds)), { selector: ([id]) => id })
  .map((all) => all.filter(([, name], at) => all.findIndex((other) => other[1] === name) === at))
  .map((all) => ({ rest: {}, entries: all.map(([id, name, list]) => ({ id, name, sessionIds: list, rest: {} })) }));

const added: NewSessionEvent = {
  type: 'SessionAddedToMetaContext',
  metaContextId: 'a',
  name: 'A',
  sessionId: 's2' as never,
};

function agrees({ contexts, nameIndex }: MetaContextRegistry): void {
  expect(nameIndex).toEqual(new Map([...contexts.values()].map(({ id, name }) => [name, id])));
  expect(nameIndex.size).toBe(contexts.size);
  for (const [id, context] of contexts) expect(context.id).toBe(id);
}

describe('the projection', () => {
  test('holds id, name and sessions in the order of their addition; its name index always agrees; an event twice changes nothing [UC-8.1, CTX-EVT-10, CTX-EVT-11]', () => {
    fc.assert(
      fc.property(documents, fc.array(events), (document, all) => {
        let registry = registryOfDocument(document);
        agrees(registry);
        for (const event of all) {
          registry = foldRegistry(registry, [event]);
          agrees(registry);
          expect(foldRegistry(registry, [event])).toBe(registry);
        }
      }),
    );
  });

  test('is fed by two events and by no other [CTX-EVT-9]', () => {
    const registry = registryOf([{ id: 'a', name: 'A', sessionIds: ['s1'] }]);
    const others: NewSessionEvent[] = [
      { type: 'AgentText', text: 'A' },
      { type: 'PromptSubmitted', promptId: 'p', text: '/req', images: [] },
      { type: 'TurnStarted', promptId: 'p' },
      { type: 'SessionClosed' },
    ];
    for (const event of others) expect(foldRegistry(registry, [event])).toBe(registry);
    const grown = foldRegistry(registry, [added]);
    expect([...grown.contexts.values()]).toEqual([{ id: 'a', name: 'A', sessionIds: ['s1', 's2'] }]);
  });
});

describe('the file and what is known', () => {
  test('together have every context and session of both, each name once, and the ids that are known [CTX-EVT-10, CTX-EVT-20]', () => {
    fc.assert(
      fc.property(documents, documents, (file, known) => {
        const merged = mergeDocuments(file, known);
        agrees(registryOfDocument(merged));
        const byId = new Map(merged.entries.map((entry) => [entry.id, entry]));
        for (const { id, sessionIds: own } of known.entries)
          expect(byId.get(id)?.sessionIds).toEqual(expect.arrayContaining([...own]));
        const all = merged.entries.flatMap((entry) => entry.sessionIds);
        for (const { sessionIds: own } of file.entries) expect(all).toEqual(expect.arrayContaining([...own]));
        // Again it changes nothing more.
        expect(mergeDocuments(merged, merged)).toEqual(merged);
      }),
      { numRuns: 1000 },
    );
  });

  test('an older file keeps what it says, and gets what it misses at the end', () => {
    const entry = (id: string, name: string, ...list: string[]) => ({ id, name, sessionIds: list, rest: {} });
    const known = { rest: {}, entries: [entry('a', 'A', 's1', 's2', 's3'), entry('b', 'B', 's4')] };
    const file = { rest: { note: 'mine' }, entries: [entry('a', 'Renamed', 's9', 's1'), entry('x', 'B', 's8')] };
    expect(mergeDocuments(file, known)).toEqual({
      rest: { note: 'mine' },
      entries: [entry('a', 'Renamed', 's9', 's1', 's2', 's3'), entry('b', 'B', 's8', 's4')],
    });
    const taken = { rest: {}, entries: [entry('a', 'B', 's1')] };
    expect(mergeDocuments(taken, known).entries.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'A'],
      ['b', 'B'],
    ]);
  });
});

describe('the logs, read beside a file', () => {
  const entry = (id: string, name: string, ...list: string[]) => ({ id, name, sessionIds: list, rest: {} });
  const said = (...all: [id: string, name: string, session: string][]) =>
    all.map(([metaContextId, name, sessionId]) => ({ ...added, metaContextId, name, sessionId: sessionId as never }));
  const two = said(['a', 'A', 's1'], ['b', 'A', 's2']);

  test.each([
    ['keep apart what the file has renamed', [entry('a', 'M', 's1'), entry('b', 'A', 's2')], ['a M s1', 'b A s2']],
    ['keep it apart from one that an older file lacks', [entry('a', 'M', 's1')], ['a M s1', 'b A s2']],
    ['have one context for one name', [], ['a A s1,s2']],
    ['keep their own id where the file has another of that name', [entry('x', 'A', 's9')], ['a A s1,s2']],
  ])('%s', (_, entries, expected) => {
    const { contexts } = registryOfLogs({ rest: {}, entries }, two);
    expect([...contexts.values()].map(({ id, name, sessionIds: list }) => `${id} ${name} ${list.join()}`)).toEqual(
      expected,
    );
  });

  test('keep their own names where the file gives one of them to another', () => {
    const file = { rest: {}, entries: [entry('a', 'B', 's1')] };
    const known = documentOf(registryOfLogs(file, said(['a', 'A', 's1'], ['b', 'B', 's2'])), emptyDocument);
    expect(mergeDocuments(file, known).entries).toEqual([entry('a', 'A', 's1'), entry('b', 'B', 's2')]);
  });
});

describe('the text', () => {
  test('keeps what is not known, at the top and in each context, through a change [CTX-EVT-20]', () => {
    const text = JSON.stringify({
      version: 7,
      contexts: [{ id: 'a', hidden: true, name: 'A', sessionIds: ['s1'], notes: { deep: [1] } }],
      __own: null,
    });
    const document = parseDocument(text) as RegistryDocument;
    const registry = foldRegistry(registryOfDocument(document), [added]);
    expect(JSON.parse(printDocument(documentOf(registry, document)))).toEqual({
      version: 7,
      __own: null,
      contexts: [{ id: 'a', hidden: true, name: 'A', sessionIds: ['s1', 's2'], notes: { deep: [1] } }],
    });
  });

  test.each([
    ['no JSON', '{ "contexts": ['],
    ['no object', '[]'],
    ['null', 'null'],
    ['no contexts', '{}'],
    ['an id that is a path', '{"contexts":[{"id":"../a","name":"A","sessionIds":[]}]}'],
    ['a blank name', '{"contexts":[{"id":"a","name":" ","sessionIds":[]}]}'],
    ['sessions that are no list', '{"contexts":[{"id":"a","name":"A","sessionIds":{}}]}'],
    ['a name twice', '{"contexts":[{"id":"a","name":"A","sessionIds":[]},{"id":"b","name":"A ","sessionIds":[]}]}'],
    ['an id twice', '{"contexts":[{"id":"a","name":"A","sessionIds":[]},{"id":"a","name":"B","sessionIds":[]}]}'],
  ])('with %s is not understood', (_, text) => {
    expect(typeof parseDocument(text)).toBe('string');
  });

  test('of nothing known is an empty list', () => {
    expect(JSON.parse(printDocument(emptyDocument))).toEqual({ contexts: [] });
  });
});
