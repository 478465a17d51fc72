/**
 * The sections that each bias wants in the notes; `knowledge/notes-template-<bias>.md` says what belongs into them. A
 * section that nobody filled stands with its table's head, or as none.
 */
const followUps = 'Follow-ups';

const sections: Readonly<Record<string, readonly string[]>> = {
  'decision-record': ['Decision', 'Context', 'Alternatives considered', 'Consequences', 'Owner'],
  'opportunity-map': ['Problem space', 'Options surfaced', 'Dimensions of variation', 'Open threads'],
  'alignment-summary': ['Decisions ratified', 'Owners', 'Dissent captured', followUps],
  'risk-register': ['Risks', 'Notes'],
  'machine-readable-ac-list': ['AC list', 'Trace', followUps],
  'brainstorming-document': ['Idea clusters', 'Ranked options', followUps],
  'ux-design-notes': ['Personas', 'IA changes', 'Interaction flows', 'Accessibility', followUps],
  'architecture-decisions': ['Decisions', followUps],
  'sprint-adjustments': ['Story injections', 'Scope cuts', 'Priority shifts', followUps],
  'clarification-notes': [
    'Questions asked',
    'Expert answers',
    'Agreement and disagreement',
    'Open follow-up questions',
  ],
};

const tables: Readonly<Record<string, readonly string[]>> = {
  'alignment-summary/Owners': ['Decision', 'Owner'],
  'risk-register/Risks': ['Risk ID', 'Description', 'Likelihood', 'Impact', 'Mitigation', 'Owner'],
};

/** Titles in order; none for a bias that is not known. */
export function templateSections(bias: string): readonly string[] {
  return Object.hasOwn(sections, bias) ? sections[bias]! : [];
}

/** What stands in a section that nobody filled. */
export function emptySection(bias: string, title: string): string {
  const columns = tables[`${bias}/${title}`];
  if (columns === undefined) return 'None.';
  return `| ${columns.join(' | ')} |\n|${columns.map(() => ' --- ').join('|')}|`;
}
