/** Deliveries on a terminal. */
import type { Delivered, Delivery, DeliveryOpened } from '../../../features/deliveries/contract.ts';
import type { Renderer } from '../parts.ts';
import { plainText, type Terminal } from '../terminal.ts';

function renderDelivered(shown: Delivered, term: Terminal): string {
  const { branch, integrationBranch, ahead, behind, files, more, conflicts, commit, commands } = shown;
  const head = `${integrationBranch} has ${ahead} commits that ${branch} has not, and ${branch} ${behind} of its own.`;
  const rows = files.map(({ path, status, added, removed }) => `  ${status} ${path}  +${added} -${removed}`);
  if (more > 0) rows.push(`  and ${more} more`);
  if (conflicts.length > 0) rows.push('Both changed the same lines of:', ...conflicts.map((path) => `  ${path}`));
  if (rows.length === 0) rows.push(`${branch} has everything.`);
  const done = commit === null ? [] : [`Merged into ${branch} as ${commit.slice(0, 12)}.`];
  return `${[head, ...rows, ...done].map((line) => plainText(line)).join('\n')}\n${nextOf(commands, term)}`;
}

function renderProposed({ id, branch, target }: Delivery, term: Terminal): string {
  const words = `Proposed ${id}: the branch ${branch}, for ${target}. Nothing is pushed yet.`;
  return `${plainText(words)}\n${nextOf([`guild-hall delivery open ${id}`], term)}`;
}

function renderOpened({ pullRequest, reason, commands }: DeliveryOpened, term: Terminal): string {
  if (reason === null) return `Opened: ${plainText(pullRequest ?? '')}\n`;
  return `${plainText(`${reason} Nothing was pushed.`)}\n${nextOf(commands, term)}`;
}

function renderList({ deliveries }: { readonly deliveries: readonly Delivery[] }, term: Terminal): string {
  if (deliveries.length === 0) return `There are none.\n${nextOf(['guild-hall deliver'], term)}`;
  return deliveries
    .map(({ id, status, title, pullRequest }) =>
      plainText(`${id}  ${status}  ${title}  ${pullRequest ?? ''}`).trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function renderOne({ id, title, status, branch, target, pullRequest, text }: Delivery, term: Terminal): string {
  const facts = `${id}: ${status}, ${branch} for ${target}${pullRequest === null ? '' : `, ${pullRequest}`}`;
  return `${term.style('bold', plainText(title))}\n${plainText(facts)}\n\n${plainText(text)}\n`;
}

function nextOf(commands: readonly string[], term: Terminal): string {
  return commands.map((command) => `${term.style('dim', plainText(`  ${command}`))}\n`).join('');
}

export const deliveryRenderers: Readonly<Record<string, Renderer>> = {
  deliver: renderDelivered,
  'delivery.propose': renderProposed,
  'delivery.open': renderOpened,
  'delivery.dismiss': ({ id }: Delivery) => `${plainText(id)} is given up; the work stays on the integration branch.\n`,
  'delivery.list': renderList,
  'delivery.show': renderOne,
};
