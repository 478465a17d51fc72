/** All statements of a turn, with what stands for them: before anybody has looked whether a source is there. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { blocksOf, type Block } from './blocks.ts';
import { tokensOf } from './clauses.ts';
import { isClaim } from './judge.ts';
import { isNumber } from './predicates.ts';
import type { Source } from './inline.ts';
import { statementsIn, type Statement } from './sentences.ts';

export interface JudgedStatement {
  /** Of the body, from 1. */
  readonly line: number;
  readonly text: string;
  readonly isClaim: boolean;
  readonly isMarked: boolean;
  readonly sources: readonly Source[];
  /** An entry of a list. */
  readonly isListed: boolean;
}

/** So many are judged before others have their turn; they take some milliseconds. */
const atOnce = 100;

export async function readStatements(body: string): Promise<JudgedStatement[]> {
  const found: JudgedStatement[] = [];
  for (const blocks of blocksOf(body)) {
    for (const row of rowsOf(blocks)) {
      if (row[0]!.row !== 0) found.push(...judgeRow(row));
      else await judgeBlock(row[0]!, found);
    }
    await yieldToOthers();
  }
  return found;
}

/** The cells of one row together; everything else by itself. */
function rowsOf(blocks: readonly Block[]): Block[][] {
  const rows: Block[][] = [];
  for (const block of blocks) {
    const last = rows.at(-1);
    if (last && block.row !== 0 && last[0]!.row === block.row) last.push(block);
    else rows.push([block]);
  }
  return rows;
}

async function judgeBlock(block: Block, found: JudgedStatement[]): Promise<void> {
  for (const [at, statement] of statementsIn(block.text).entries()) {
    found.push(judged(statement, block));
    if (at % atOnce === atOnce - 1) await yieldToOthers();
  }
}

const judged = ({ lineInBlock, text, words, sources, isMarked }: Statement, block: Block): JudgedStatement => ({
  line: block.line + lineInBlock,
  text,
  isClaim: isClaim(words),
  isMarked,
  sources,
  isListed: block.isListed,
});

/** A cell that holds nothing but sources stands for the cells of its row that say one thing each. */
function judgeRow(cells: readonly Block[]): JudgedStatement[] {
  const read = cells.map((cell) => ({ cell, statements: statementsIn(cell.text) }));
  const lent = read.flatMap(({ statements }) => statements.filter(({ words }) => isBare(words)));
  const said = read.flatMap(({ cell, statements }) =>
    statements
      .filter(({ words }) => !isBare(words))
      .map((statement) => ({ ...judged(statement, cell), isAlone: statements.length === 1 })),
  );
  const all = said.every((statement) => !statement.isClaim) ? joinedRow(cells, said) : said;
  return all.map(({ isAlone, ...statement }) =>
    isAlone
      ? {
          ...statement,
          isMarked: statement.isMarked || lent.some(({ isMarked }) => isMarked),
          sources: [...statement.sources, ...lent.flatMap(({ sources }) => sources)],
        }
      : statement,
  );
}

const isBare = (words: string): boolean => words.replaceAll(/‹source›|[\s(),;|–—-]/gu, '') === '';

type Said = JudgedStatement & { readonly isAlone: boolean };

/** "p99" and "4 s" claim nothing each, but do together. */
function joinedRow(cells: readonly Block[], said: readonly Said[]): readonly Said[] {
  const [first, ...others] = said;
  if (first === undefined || others.length === 0 || said.some(({ isAlone }) => !isAlone)) return said;
  const text = `${first.text}: ${others.map((statement) => statement.text).join(', ')}`;
  if (!/\d/u.test(text) || !isNumber(tokensOf(text))) return said;
  const isMarked = said.some((statement) => statement.isMarked);
  return [
    {
      line: cells[0]!.line,
      text,
      isClaim: true,
      isMarked,
      sources: said.flatMap(({ sources }) => sources),
      isListed: false,
      isAlone: true,
    },
  ];
}
