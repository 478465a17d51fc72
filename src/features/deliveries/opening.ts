/** Opening a pull request: the branch is pushed, and `gh` asked for the rest; without it the person is told what to type. */
import { makeBranch } from '../../kernel/git/branches.ts';
import { listRemotes, pushBranch } from '../../kernel/git/push.ts';
import { type CommandResult, runCommand } from '../../kernel/processes/command.ts';
import { findProgram } from '../../kernel/processes/find-program.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { DeliveriesContext } from './context.ts';
import type { Delivery, DeliveryOpened } from './contract.ts';
import { announce } from './proposing.ts';
import { changeRecord, deliveryLock, type DeliveryRef, resolveDelivery } from './store.ts';

const ghTimeoutMs = 60_000;

/** @throws HallError in the words of git or gh when one of them refuses; asked again, it goes on from there */
export async function openDelivery(ctx: DeliveriesContext, ref: DeliveryRef): Promise<DeliveryOpened> {
  return await ctx.locks.with(deliveryLock(ref), async () => {
    const { delivery } = await resolveDelivery(ctx, { project: ref.project.name, id: ref.id });
    if (delivery.status !== 'proposed') throw notProposed(delivery);
    const { path: repo } = ref.project;
    await makeBranch(ctx, repo, delivery.branch, delivery.commit);
    const remote = await remoteOf(ctx, repo);
    const commands = commandsFor(delivery, remote);
    if (remote === undefined) return { ...delivery, commands, reason: 'It is not clear to which remote to push.' };
    const gh = await findGh(ctx, repo);
    if ('reason' in gh) return { ...delivery, commands, reason: gh.reason };
    await pushBranch(ctx, repo, remote, delivery.branch);
    const pullRequest = await createPullRequest(ctx, repo, gh.file, delivery, commands);
    const opened = await changeRecord(ctx, ref, { status: 'opened', pull_request: pullRequest });
    announce(ctx, ref, 'delivery.opened', { id: ref.id, pullRequest });
    return { ...opened, commands: [], reason: null };
  });
}

function notProposed({ id, status, pullRequest }: Delivery): Error {
  return fail(
    'conflict',
    `Delivery ${id} is ${status}; only what is proposed can be opened.`,
    pullRequest === null ? 'Propose it anew: guild-hall delivery propose "…"' : `See: ${pullRequest}`,
  );
}

/** `origin`, or the only one. */
async function remoteOf(ctx: DeliveriesContext, repo: string): Promise<string | undefined> {
  const remotes = await listRemotes(ctx, repo);
  return remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined;
}

function commandsFor({ branch, target, title }: Delivery, remote = '<remote>'): string[] {
  const quoted = `'${title.replaceAll("'", String.raw`'\''`)}'`;
  return [`git push ${remote} ${branch}`, `gh pr create --head ${branch} --base ${target} --title ${quoted} --fill`];
}

async function findGh(
  ctx: DeliveriesContext,
  repo: string,
): Promise<{ readonly file: string } | { readonly reason: string }> {
  const file = await findProgram('gh', { cwd: repo, path: ctx.environment()['PATH'] });
  if (file === undefined) return { reason: 'gh, the program for pull requests, is not installed.' };
  const status = await runGh(ctx, repo, file, ['auth', 'status']);
  return status.exitCode === 0 ? { file } : { reason: 'gh is not signed in; see: gh auth login' };
}

async function createPullRequest(
  ctx: DeliveriesContext,
  repo: string,
  gh: string,
  { title, text, branch, target }: Delivery,
  commands: readonly string[],
): Promise<string> {
  const args = ['pr', 'create', '--head', branch, '--base', target, '--title', title, '--body', text];
  const { exitCode, stdout, stderr, timedOut } = await runGh(ctx, repo, gh, args);
  const address = /https?:\/\/[^\s<>"']{1,500}/;
  // Where the hall was killed after it was made, it is there already, and gh names it.
  const isThere = exitCode !== 0 && /already exists/i.test(stderr);
  const found = address.exec(exitCode === 0 ? stdout : isThere ? stderr : '')?.[0];
  if (found !== undefined) return found;
  const said = timedOut ? 'it took more than a minute' : (stderr.trim().split('\n').at(-1) ?? '').slice(0, 300);
  throw fail(
    'unavailable',
    `The branch ${branch} is pushed, but gh opened no pull request: ${said || 'it gave no address'}.`,
    `Try again, or type it yourself: ${commands.at(-1)}`,
    { branch },
  );
}

async function runGh(
  ctx: DeliveriesContext,
  cwd: string,
  file: string,
  args: readonly string[],
): Promise<CommandResult> {
  const env = { ...ctx.environment(), GH_PROMPT_DISABLED: '1', NO_COLOR: '1' };
  return await runCommand(ctx, { file, args, cwd, env, timeoutMs: ghTimeoutMs, maxOutputBytes: 1024 * 1024 });
}
