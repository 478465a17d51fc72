/** The tools by which a worker reads and writes artifacts and records decisions, in whatever activity it is. */
import { z } from 'zod';
import { defineTool, type Tool, type ToolOutcome } from '../agents/tools.ts';
import { parseArtifact } from '../artifacts/parse.ts';
import { scrub } from '../secrets/scrub.ts';
import type { ActivityFace, ArtifactAccess, ArtifactEntry, Decision } from './contract.ts';
import { pageOf } from './paging.ts';

/** What a list shows before it asks for a folder to be named. */
const maxListed = 300;
const maxArtifactLength = 1_000_000;

const path = z.string().min(1).max(500).describe('relative to the project, like .lore/specs/plan.md');
const words = z.string().min(1).max(20_000);

export function createArtifactTools({ artifacts, decisions }: Pick<ActivityFace, 'artifacts' | 'decisions'>): Tool[] {
  return [
    defineTool({
      name: 'list_artifacts',
      description:
        'Lists the artifacts of the project with title, status and date, all of them or those of one folder.',
      input: { under: z.string().min(1).max(500).optional().describe('a folder, like .lore/specs') },
      run: (input) => listTool(artifacts, input.under),
    }),
    defineTool({
      name: 'read_artifact',
      description: 'Reads an artifact. Long ones come in pages; the mark at the end says how to go on.',
      input: { path, offset: z.int().min(0).optional().describe('characters to pass over') },
      run: async (input) => ({ text: pageOf(await artifacts.read(input.path), input.offset ?? 0) }),
    }),
    defineTool({
      name: 'write_artifact',
      description:
        'Writes an artifact, a Markdown file under .lore/, with its whole new text: frontmatter (title, date, status, tags) ' +
        'and body. An existing one is replaced, so read it first and keep what is to stay. Keys, tokens and passwords are taken out.',
      input: { path, content: z.string().min(1).max(maxArtifactLength) },
      run: (input) => writeTool(artifacts, input.path, input.content),
    }),
    defineTool({
      name: 'record_decision',
      description: 'Records a decision that was taken: the question, what was decided, and the reasons that counted.',
      input: { question: words, decision: words, reasoning: words },
      run: (input) => recordTool(decisions, input),
    }),
  ];
}

async function listTool(artifacts: ArtifactAccess, under: string | undefined): Promise<ToolOutcome> {
  const entries = await artifacts.list(under);
  if (entries.length === 0)
    return { text: `There are no artifacts${under === undefined ? '' : ` under ${under}`} yet.` };
  const lines = entries.slice(0, maxListed).map(printEntry);
  const more = entries.length - lines.length;
  return { text: [...lines, ...(more > 0 ? [`[${more} more; name a folder with \`under\`.]`] : [])].join('\n') };
}

function printEntry({ path: at, title, status, date, problems }: ArtifactEntry): string {
  const facts = [status, date].filter((fact) => fact !== null);
  const broken = problems[0] ? ` [problem in line ${problems[0].line}: ${problems[0].message}]` : '';
  return `- ${at}: ${title}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}${broken}`;
}

async function writeTool(artifacts: ArtifactAccess, to: string, given: string): Promise<ToolOutcome> {
  const content = await scrub(given);
  const written = await artifacts.write(to, content);
  const { problems } = parseArtifact(content, written.path);
  const told = [
    `Wrote ${written.path} (${content.length} characters).`,
    written.note,
    content === given ? undefined : 'Something that looked like a secret was taken out of it.',
    ...problems.map(({ line, message }) => `Its frontmatter has a problem in line ${line}: ${message}`),
  ];
  return { text: told.filter((sentence) => sentence !== undefined).join(' ') };
}

async function recordTool(decisions: ActivityFace['decisions'], given: Decision): Promise<ToolOutcome> {
  const [question, decision, reasoning] = await Promise.all(
    [given.question, given.decision, given.reasoning].map(scrub),
  );
  await decisions.record({ question: question!, decision: decision!, reasoning: reasoning! });
  return { text: 'The decision is recorded.' };
}
