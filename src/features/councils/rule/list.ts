/** Every helper by its name: one line of what it is for, its arguments, and where it is. */
import type { RunRule } from './io.ts';

export interface Rule {
  readonly summary: string;
  /** Arguments; what is in brackets may be left out. */
  readonly usage: string;
  readonly load: () => Promise<RunRule>;
}

export const rules: Readonly<Record<string, Rule>> = {
  'charter-gate': {
    summary: 'whether a council may begin with this charter',
    usage: '--charter TEXT',
    load: async () => (await import('./charter-gate.ts')).run,
  },
  'resolve-mode': {
    summary: 'the mode of a council by its name or alias',
    usage: '[--mode MODE]',
    load: async () => (await import('./resolve-mode.ts')).run,
  },
  'lib/load-mode-registry': {
    summary: 'what the registry of modes says',
    usage: 'path | known | canonical MODE | scalar MODE FIELD | list MODE FIELD',
    load: async () => (await import('./load-mode-registry.ts')).run,
  },
  'resolve-invitees': {
    summary: 'who sits in the council: the names given, then those that the mode brings',
    usage: '--mode MODE [--invitees CSV] [--installed FILE] [--invitees-override] [--session-file FILE]',
    load: async () => (await import('./resolve-invitees.ts')).run,
  },
  'select-notes-template': {
    summary: 'the template of the notes for a bias',
    usage: '--bias BIAS',
    load: async () => (await import('./select-notes-template.ts')).run,
  },
  'turn-order': {
    summary: 'the speakers of so many turns, in order',
    usage: '--invitees CSV --turns N',
    load: async () => (await import('./turn-order.ts')).run,
  },
  'turn-header': {
    summary: 'the header of a turn',
    usage:
      '--round N --turn N --speaker NAME --role ROLE --turn-cost N --running-total N [--phase PHASE] [--turn-id ID] [--dispatched-via WHO] [--origin interject|attendee]',
    load: async () => (await import('./turn-header.ts')).run,
  },
  'resolve-user-name': {
    summary: 'what the person is called in turns',
    usage: '[--settings FILE]',
    load: async () => (await import('./resolve-user-name.ts')).run,
  },
  'lifecycle-marker': {
    summary: 'the marker of a phase',
    usage: '--phase INVITE|CHARTER|RESEARCH|DISCUSS|CLOSE|REVIEW|SAVE',
    load: async () => (await import('./lifecycle-marker.ts')).run,
  },
  'write-boundary': {
    summary: 'whether a council may write to this path',
    usage: 'PATH',
    load: async () => (await import('./write-boundary.ts')).run,
  },
  'research-phase-dispatch': {
    summary: 'tools of a research turn, its flags, and where an agent’s memory is',
    usage:
      '--print-allowlist [--no-web] | --check-web-flag [--no-web] | --check-research-flag [--skip-research] | --sidecar-path AGENT | --emit-frontmatter [--no-web] [--skip-research]',
    load: async () => (await import('./research-phase-dispatch.ts')).run,
  },
  'lib/prelude-format': {
    summary: 'a prelude in its fixed form',
    usage: '--name NAME --role ROLE --tokens N --sources LINES --bullets LINES',
    load: async () => (await import('./prelude-format.ts')).run,
  },
  'cite-or-flag-check': {
    summary: 'whether what is claimed has a source or is marked as inference',
    usage: '--classify-line TEXT | --gate-draft-turn FILE | --verify-transcript FILE [--verify-evidence] [--compat]',
    load: async () => (await import('./cite-or-flag-check.ts')).run,
  },
  'raise-hand-arbiter': {
    summary: 'raised hands: find one, record it, plan its turn, list those that wait',
    usage:
      '--detect BODY | --plan-insertion --invitees CSV --requesting A --target B --cycle N | --record-raise-hand --cycle N --requesting A --target B | --pending-deferred --cycle N | --log-line --cycle N --requesting A --target B --status STATUS; the ledger: $RAISE_HAND_STATE, --state FILE or --session-id ID',
    load: async () => (await import('./raise-hand-arbiter.ts')).run,
  },
  'review-gate': {
    summary: 'what a disposition at the review means',
    usage: '--classify --draft FILE --disposition accept|edit|drop | --should-write --disposition accept|edit|drop',
    load: async () => (await import('./review-gate.ts')).run,
  },
  'lib/type-target-resolver': {
    summary: 'what an action item of a type is worked off with',
    usage: 'TYPE',
    load: async () => (await import('./type-target-resolver.ts')).run,
  },
  'action-items-writer': {
    summary: 'append drafted action items to the registry',
    usage: '--registry FILE --drafts FILE --source-meeting SLUG --date YYYY-MM-DD',
    load: async () => (await import('./action-items-writer.ts')).run,
  },
  'memory-writethrough': {
    summary: 'write each agent’s decisions into its memory',
    usage: '--root FOLDER --drafts FOLDER --source-meeting SLUG --date YYYY-MM-DD --slug SLUG',
    load: async () => (await import('./memory-writethrough.ts')).run,
  },
  'meeting-notes-writer': {
    summary: 'write the notes of a council',
    usage: '--root FOLDER --payload FILE --date YYYY-MM-DD --slug SLUG',
    load: async () => (await import('./meeting-notes-writer.ts')).run,
  },
  'scratchpad-allocate': {
    summary: 'pin something to the scratchpad, list the pins, show them',
    usage:
      'pin --state FILE [--target SP-N] --content TEXT --intent TEXT --agent NAME [--content-type TYPE] | list --state FILE --field FIELD | render --state FILE',
    load: async () => (await import('./scratchpad-allocate.ts')).run,
  },
  'scratchpad-disposition': {
    summary: 'what is to become of a pin',
    usage: '--check WORD | --prompt',
    load: async () => (await import('./scratchpad-disposition.ts')).run,
  },
  'scratchpad-detect-type': {
    summary: 'what kind of text standard input is',
    usage: '< FILE',
    load: async () => (await import('./scratchpad-detect-type.ts')).run,
  },
  'scratchpad-resolve-path': {
    summary: 'where a pin that is extracted lies',
    usage: '--date YYYY-MM-DD --slug SLUG --sp-n SP-N --content TEXT --intent TEXT --content-type TYPE',
    load: async () => (await import('./scratchpad-resolve-path.ts')).run,
  },
  'scratchpad-extractor': {
    summary: 'write a pin into a file of its own',
    usage:
      '--root FOLDER --date YYYY-MM-DD --slug SLUG --sp-n SP-N --content TEXT --intent TEXT [--content-type TYPE|auto] [--action-items CSV]',
    load: async () => (await import('./scratchpad-extractor.ts')).run,
  },
  'session-state': {
    summary: 'make a session file, read a field of it, change one',
    usage:
      'create --file FILE --session-id ID | read --file FILE --field FIELD | update --file FILE --field FIELD --value VALUE',
    load: async () => (await import('./session-state.ts')).run,
  },
  'yield-gate': {
    summary: 'note in the session file that the person is about to be asked',
    usage: '--phase post-charter|post-research|discuss-cadence|pre-close|pre-save --session-id ID [--side-effect-only]',
    load: async () => (await import('./yield-gate.ts')).run,
  },
  'checkpoint-cadence': {
    summary: 'after how many turns the person is asked',
    usage: '[--settings FILE]',
    load: async () => (await import('./checkpoint-cadence.ts')).run,
  },
  'parse-resume-flags': {
    summary: 'how a council is to go on',
    usage: '[--resume ID [--continue | --interject TEXT | --wrap-up]]',
    load: async () => (await import('./parse-resume-flags.ts')).run,
  },
  'secret-scrubber': {
    summary: 'a file without its secrets',
    usage: '--in FILE --out FILE',
    load: async () => (await import('./secret-scrubber.ts')).run,
  },
  'halt-event': {
    summary: 'the line of a hard halt',
    usage: '--condition NAME --fr ID --detail TEXT [--agent NAME]',
    load: async () => (await import('./halt-event.ts')).run,
  },
  'max-turns-cap': {
    summary: 'whether one more turn may be emitted',
    usage: '--check --emitted-turns N [--max-turns N]',
    load: async () => (await import('./max-turns-cap.ts')).run,
  },
  'per-agent-cap': {
    summary: 'count the tokens of an agent, and mute it at its cap',
    usage: '--state FILE --agent NAME (--accumulate --tokens N [--per-agent-cap N] | --get | --is-muted)',
    load: async () => (await import('./per-agent-cap.ts')).run,
  },
  'loop-detector': {
    summary: 'whether the last turns go round in a circle',
    usage: '--turns-file FILE',
    load: async () => (await import('./loop-detector.ts')).run,
  },
  'cost-cadence': {
    summary: 'count emitted turns, and say when costs are due',
    usage: '--state FILE (--tick | --get | --should-fire [--cadence N])',
    load: async () => (await import('./cost-cadence.ts')).run,
  },
  'research-gate': {
    summary: 'whether every invitee has given its prelude',
    usage: '--invitees CSV --preludes-file FILE [--skip-research]',
    load: async () => (await import('./research-gate.ts')).run,
  },
  'dispatch-agent-turn': {
    summary: 'have an agent speak one turn; the one helper that needs a model',
    usage:
      '--agent NAME --phase research|discuss --charter-ref FILE --session-id ID [header arguments] [--no-web] [--state-file FILE] [--turn-id ID] [--debug-allowlist] | --print-discuss-allowlist',
    load: async () => (await import('./dispatch-agent-turn.ts')).run,
  },
  'dispatch-provenance-check': {
    summary: 'whether every turn of a transcript says who had it spoken',
    usage: '[FILE | --stdin] [--user-name NAME]',
    load: async () => (await import('./dispatch-provenance-check.ts')).run,
  },
  'checkpoint-reaper': {
    summary: 'remove old checkpoints and session files',
    usage: '--root FOLDER [--age-days N] [--apply | --dry-run]',
    load: async () => (await import('./checkpoint-reaper.ts')).run,
  },
  'stdout-sentinel-scan': {
    summary: 'whether a skill’s procedure holds a sentinel that would end a turn',
    usage: 'FILE',
    load: async () => (await import('./stdout-sentinel-scan.ts')).run,
  },
};
