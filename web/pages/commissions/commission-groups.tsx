/** The lists: one for each thing that is to be known of commissions. What is done is folded after some. */
import { useState } from 'react';
import type { CommissionRow } from '../../../src/features/commissions/contract.ts';
import { CommissionLine } from '../../kit/commission-row.tsx';
import { Section } from '../../kit/layout.tsx';
import { Rows } from '../../kit/rows.tsx';
import { ShowMore } from '../../kit/show-more.tsx';
import { type Group, groupsOf, groupTitles } from './groups.ts';

export interface CommissionGroupsProps {
  readonly rows: readonly CommissionRow[];
  readonly showsProject: boolean;
  /** Titles of all commissions by their ids. */
  readonly titles: ReadonlyMap<string, string>;
}

export function CommissionGroups({ rows, ...rest }: CommissionGroupsProps) {
  return (
    <>
      {groupsOf(rows).map((group) => (
        <GroupRows key={group.name} group={group} {...rest} />
      ))}
    </>
  );
}

/** So many of a list are drawn at first, and at each press. */
const shownAtFirst: Readonly<Partial<Record<string, number>>> = { done: 8 };
const shownAtOnce = 100;

function GroupRows({ group, showsProject, titles }: Omit<CommissionGroupsProps, 'rows'> & { readonly group: Group }) {
  const { name, rows } = group;
  const [limit, setLimit] = useState(shownAtFirst[name] ?? shownAtOnce);
  const shown = rows.slice(0, limit);
  const title = groupTitles[name];
  return (
    <Section title={title} count={rows.length}>
      <Rows label={title}>
        {shown.map((row) => (
          <li key={`${row.project}/${row.id}`}>
            <CommissionLine isWide row={row} showsProject={showsProject} titles={titles} />
          </li>
        ))}
      </Rows>
      {rows.length > shown.length && (
        <ShowMore shown={shown.length} onShow={() => setLimit(limit + shownAtOnce)}>
          {`${rows.length - shown.length} more`}
        </ShowMore>
      )}
    </Section>
  );
}
