/** Every helper by its name: one line of what it is for, its arguments, and with which others it is loaded. */
/** What is loaded together. Few of them: each adds to the pieces into which the whole program is cut. */
export type RuleGroup = 'answering' | 'claims' | 'session' | 'writing' | 'dispatch';

export interface Rule {
  readonly summary: string;
  /** Arguments; what is in brackets may be left out. */
  readonly usage: string;
  readonly group: RuleGroup;
}

export const rules: Readonly<Record<string, Rule>> = {
  'charter-gate': {
    summary: 'whether a council may begin with this charter',
    usage: '--charter TEXT',
    group: 'answering',
  },
  'resolve-mode': {
    summary: 'the mode of a council by its name or alias',
    usage: '[--mode MODE]',
    group: 'answering',
  },
  'lib/load-mode-registry': {
    summary: 'what the registry of modes says',
    usage: 'path | known | canonical MODE | scalar MODE FIELD | list MODE FIELD',
    group: 'answering',
  },
  'resolve-invitees': {
    summary: 'who sits in the council: the names given, then those that the mode brings',
    usage: '--mode MODE [--invitees CSV] [--installed FILE] [--invitees-override] [--session-file FILE]',
    group: 'answering',
  },
  'select-notes-template': {
    summary: 'the template of the notes for a bias',
    usage: '--bias BIAS',
    group: 'answering',
  },
  'turn-order': {
    summary: 'the speakers of so many turns, in order',
    usage: '--invitees CSV --turns N',
    group: 'answering',
  },
  'turn-header': {
    summary: 'the header of a turn',
    usage:
      '--round N --turn N --speaker NAME --role ROLE --turn-cost N --running-total N [--phase PHASE] [--turn-id ID] [--dispatched-via WHO] [--origin interject|attendee]',
    group: 'answering',
  },
  'resolve-user-name': {
    summary: 'what the person is called in turns',
    usage: '[--settings FILE]',
    group: 'answering',
  },
  'lifecycle-marker': {
    summary: 'the marker of a phase',
    usage: '--phase INVITE|CHARTER|RESEARCH|DISCUSS|CLOSE|REVIEW|SAVE',
    group: 'answering',
  },
  'write-boundary': {
    summary: 'whether a council may write to this path',
    usage: 'PATH',
    group: 'answering',
  },
  'research-phase-dispatch': {
    summary: 'tools of a research turn, its flags, and where an agent’s memory is',
    usage:
      '--print-allowlist [--no-web] | --check-web-flag [--no-web] | --check-research-flag [--skip-research] | --sidecar-path AGENT | --emit-frontmatter [--no-web] [--skip-research]',
    group: 'answering',
  },
  'lib/prelude-format': {
    summary: 'a prelude in its fixed form',
    usage: '--name NAME --role ROLE --tokens N --sources LINES --bullets LINES',
    group: 'answering',
  },
  'cite-or-flag-check': {
    summary: 'whether what is claimed has a source or is marked as inference',
    usage: '--classify-line TEXT | --gate-draft-turn FILE | --verify-transcript FILE [--verify-evidence] [--compat]',
    group: 'claims',
  },
  'raise-hand-arbiter': {
    summary: 'raised hands: find one, record it, plan its turn, list those that wait',
    usage:
      '--detect BODY | --plan-insertion --invitees CSV --requesting A --target B --cycle N | --record-raise-hand --cycle N --requesting A --target B | --pending-deferred --cycle N | --log-line --cycle N --requesting A --target B --status STATUS; the ledger: $RAISE_HAND_STATE, --state FILE or --session-id ID',
    group: 'answering',
  },
  'review-gate': {
    summary: 'what a disposition at the review means',
    usage: '--classify --draft FILE --disposition accept|edit|drop | --should-write --disposition accept|edit|drop',
    group: 'answering',
  },
  'lib/type-target-resolver': {
    summary: 'what an action item of a type is worked off with',
    usage: 'TYPE',
    group: 'answering',
  },
  'action-items-writer': {
    summary: 'append drafted action items to the registry',
    usage: '--registry FILE --drafts FILE --source-meeting SLUG --date YYYY-MM-DD',
    group: 'writing',
  },
  'memory-writethrough': {
    summary: 'write each agent’s decisions into its memory',
    usage: '--root FOLDER --drafts FOLDER --source-meeting SLUG --date YYYY-MM-DD --slug SLUG',
    group: 'writing',
  },
  'meeting-notes-writer': {
    summary: 'write the notes of a council',
    usage: '--root FOLDER --payload FILE --date YYYY-MM-DD --slug SLUG',
    group: 'writing',
  },
  'scratchpad-allocate': {
    summary: 'pin something to the scratchpad, list the pins, show them',
    usage:
      'pin --state FILE [--target SP-N] --content TEXT --intent TEXT --agent NAME [--content-type TYPE] | list --state FILE --field FIELD | render --state FILE',
    group: 'answering',
  },
  'scratchpad-disposition': {
    summary: 'what is to become of a pin',
    usage: '--check WORD | --prompt',
    group: 'answering',
  },
  'scratchpad-detect-type': {
    summary: 'what kind of text standard input is',
    usage: '< FILE',
    group: 'answering',
  },
  'scratchpad-resolve-path': {
    summary: 'where a pin that is extracted lies',
    usage: '--date YYYY-MM-DD --slug SLUG --sp-n SP-N --content TEXT --intent TEXT --content-type TYPE',
    group: 'answering',
  },
  'scratchpad-extractor': {
    summary: 'write a pin into a file of its own',
    usage:
      '--root FOLDER --date YYYY-MM-DD --slug SLUG --sp-n SP-N --content TEXT --intent TEXT [--content-type TYPE|auto] [--action-items CSV]',
    group: 'writing',
  },
  'session-state': {
    summary: 'make a session file, read a field of it, change one',
    usage:
      'create --file FILE --session-id ID | read --file FILE --field FIELD | update --file FILE --field FIELD --value VALUE',
    group: 'session',
  },
  'yield-gate': {
    summary: 'note in the session file that the person is about to be asked',
    usage: '--phase post-charter|post-research|discuss-cadence|pre-close|pre-save --session-id ID [--side-effect-only]',
    group: 'session',
  },
  'checkpoint-cadence': {
    summary: 'after how many turns the person is asked',
    usage: '[--settings FILE]',
    group: 'answering',
  },
  'parse-resume-flags': {
    summary: 'how a council is to go on',
    usage: '[--resume ID [--continue | --interject TEXT | --wrap-up]]',
    group: 'answering',
  },
  'secret-scrubber': {
    summary: 'a file without its secrets',
    usage: '--in FILE --out FILE',
    group: 'writing',
  },
  'halt-event': {
    summary: 'the line of a hard halt',
    usage: '--condition NAME --fr ID --detail TEXT [--agent NAME]',
    group: 'answering',
  },
  'max-turns-cap': {
    summary: 'whether one more turn may be emitted',
    usage: '--check --emitted-turns N [--max-turns N]',
    group: 'answering',
  },
  'per-agent-cap': {
    summary: 'count the tokens of an agent, and mute it at its cap',
    usage: '--state FILE --agent NAME (--accumulate --tokens N [--per-agent-cap N] | --get | --is-muted)',
    group: 'answering',
  },
  'loop-detector': {
    summary: 'whether the last turns go round in a circle',
    usage: '--turns-file FILE',
    group: 'answering',
  },
  'cost-cadence': {
    summary: 'count emitted turns, and say when costs are due',
    usage: '--state FILE (--tick | --get | --should-fire [--cadence N])',
    group: 'answering',
  },
  'research-gate': {
    summary: 'whether every invitee has given its prelude',
    usage: '--invitees CSV --preludes-file FILE [--skip-research]',
    group: 'answering',
  },
  'dispatch-agent-turn': {
    summary: 'have an agent speak one turn; the one helper that needs a model',
    usage:
      '--agent NAME --phase research|discuss --charter-ref FILE --session-id ID [header arguments] [--no-web] [--state-file FILE] [--turn-id ID] [--debug-allowlist] | --print-discuss-allowlist',
    group: 'dispatch',
  },
  'dispatch-provenance-check': {
    summary: 'whether every turn of a transcript says who had it spoken',
    usage: '[FILE | --stdin] [--user-name NAME]',
    group: 'answering',
  },
  'checkpoint-reaper': {
    summary: 'remove old checkpoints and session files',
    usage: '--root FOLDER [--age-days N] [--apply | --dry-run]',
    group: 'writing',
  },
  'stdout-sentinel-scan': {
    summary: 'whether a skill’s procedure holds a sentinel that would end a turn',
    usage: 'FILE',
    group: 'answering',
  },
};

export const ruleNames: readonly string[] = Object.keys(rules);
