/** How a harvest is asked for. What comes in another arrangement is taken too. */

/** Headings of a harvest; `parseHarvest` knows them. The four quadrants are the last. */
export const harvestHeadings = {
  emerged: 'What emerged',
  known: 'What is known now',
  next: 'Next thread',
  todo: 'Individual, tangible',
  proposal: 'Collective, tangible',
  memory: 'Individual, intangible',
  vision: 'Collective, intangible',
} as const;

export const harvestForm = `## ${harvestHeadings.emerged}
What came up that nobody brought, in a few sentences.

## ${harvestHeadings.known}
What this circle knows now, and where it still disagrees.

## ${harvestHeadings.next}
The one question to take up next time.

## ${harvestHeadings.todo}
- An action item: what is to be done, by whom. One line each; details indented below it.

## ${harvestHeadings.proposal}
- A change of a document: which one, and what in it.

## ${harvestHeadings.memory}
- Something to remember in this project.

## ${harvestHeadings.vision}
- A seed of a vision: what could become of this.

Leave out what is empty. An item may begin with todo:, proposal:, memory: or vision: where it belongs somewhere else.`;
