/** The hall's own plays. */
import type { RehearsalPlay } from '../move.ts';
import { callMove, sayMove } from '../move.ts';

const minimal: RehearsalPlay = {
  name: 'ask',
  priority: -100,
  play: ({ turn, tools }) => {
    const term = /[A-Za-z_]{4,}/.exec(turn.userText.replace(/^\w+ /, ''))?.[0];
    const canGrep = tools.some((tool) => tool.name === 'Grep');
    if (!canGrep || term === undefined) return sayMove(`You said: ${turn.userText.slice(0, 200)}`);
    const [grep, read] = turn.calls;
    if (grep === undefined) {
      return callMove({ name: 'Grep', input: { pattern: term, output_mode: 'content', '-n': true, head_limit: 20 } });
    }
    const hit = /^(.+?):(\d+):(.*)$/m.exec(grep.result?.text ?? '');
    if (hit === null) return sayMove(`I searched for \`${term}\` and found nothing.`);
    if (read === undefined && tools.some((tool) => tool.name === 'Read')) {
      return callMove({ name: 'Read', input: { file_path: hit[1], offset: Number(hit[2]), limit: 10 } });
    }
    return sayMove(`\`${term}\` occurs at \`${hit[1]}:${hit[2]}\`:\n\n\`\`\`\n${hit[3]}\n\`\`\``);
  },
};

export const projectPlays: readonly RehearsalPlay[] = [minimal];
