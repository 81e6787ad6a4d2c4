import type { Reader } from '../../kernel/reader.ts';
import type { KindGroup } from '../journals/kinds.ts';
import { figuresStatement, type LineFilter, type PartOf } from './figure-statements.ts';
import type { FiguresByAccount, Sums } from './figures.ts';
import { type DaySpan, type Segments, segmentsOf } from './segments.ts';

export type Asked<Name extends string> = {
  /** The days that figures are asked for, by their names. They may overlap. */
  spans: Readonly<Record<Name, DaySpan>>;
  part?: PartOf | undefined;
  filter?: LineFilter | undefined;
};

/** What accounts moved in each span; with a part, by the ID of the company or department, or the code of the category. */
export type Found<Name extends string> = {
  /** The sum of the years' counters of numbers: it changes with every posting. */
  books_revision: number;
  /** Of all parts together. */
  spans: Readonly<Record<Name, FiguresByAccount>>;
  /** Of each part; `''` is what names none. Empty where no part is asked for. */
  parts: ReadonlyMap<string, Readonly<Record<Name, FiguresByAccount>>>;
};

type Row = {
  account_id: string | null;
  kind_group: KindGroup;
  part: string;
  bucket: number;
  debit: string;
  credit: string;
};

type Figures = Map<string, Partial<Record<KindGroup, Sums>>>;

/**
 * The figures of the books in some spans, from sums that are kept and never from entries: whole months from the sums by
 * month, the days at their broken ends from those by day. What is asked by company, department or category has sums by
 * month alone, and the days of broken months come from the lines, by the entries of those days or by the account that is
 * asked for. All is read by one statement, so that it is of one moment.
 */
export async function readFigures<Name extends string>(
  reader: Reader,
  asked: Asked<Name>,
): Promise<Found<Name>> {
  const names = Object.keys(asked.spans) as Name[];
  const segments = names.map((name) => segmentsOf(asked.spans[name]));
  const months = segments.flatMap((segment) => (segment.months ? [segment.months] : []));
  const turns = [...new Set(months.flatMap(({ from, end }) => (from === null ? [end] : [from, end])))].sort();
  const days = segments.flatMap(({ edges }) => edges);
  const first = months.some(({ from }) => from === null) ? null : (turns[0] ?? null);
  const { text, more, prepared } = figuresStatement(asked);
  const values = [
    reader.organization_id,
    turns.length > 0 ? turns : [EVER],
    first ?? EVER,
    turns.at(-1) ?? EVER,
    days.map(({ from }) => from),
    days.map(({ to }) => to),
    ...more,
  ];
  const rows = await reader.connection.query<Row>(text, values, { prepared });
  const all = emptySpans(names);
  const parts = new Map<string, Record<Name, Figures>>();
  const weights = weightsOf(names, segments, turns);
  let books_revision = 0;
  for (const row of rows) {
    if (row.account_id === null) {
      books_revision = Number(row.debit);
      continue;
    }
    const sums = { debit: BigInt(row.debit), credit: BigInt(row.credit) };
    for (const { name, sign } of weights.get(row.bucket) ?? []) {
      add(all[name], row.account_id, row.kind_group, sums, sign);
      if (!asked.part) continue;
      const known = parts.get(row.part) ?? emptySpans(names);
      parts.set(row.part, known);
      add(known[name], row.account_id, row.kind_group, sums, sign);
    }
  }
  return { books_revision, spans: all, parts };
}

/** Before the first month that there can be. */
const EVER = '0001-01-01';

type Weight<Name extends string> = { name: Name; sign: 1 | -1 };

/**
 * What each row of the statement counts for. Months have the place of the last turn before them, days the negative place
 * of their edge.
 */
function weightsOf<Name extends string>(
  names: readonly Name[],
  segments: readonly Segments[],
  turns: readonly string[],
): ReadonlyMap<number, readonly Weight<Name>[]> {
  const weights = new Map<number, Weight<Name>[]>();
  const weigh = (bucket: number, weight: Weight<Name>) => {
    const known = weights.get(bucket);
    if (known) known.push(weight);
    else weights.set(bucket, [weight]);
  };
  let place = 0;
  for (const [at, { months, edges }] of segments.entries()) {
    const name = names[at]!;
    if (months) {
      const low = months.from === null ? 0 : turns.indexOf(months.from) + 1;
      const high = turns.indexOf(months.end) + 1;
      for (let bucket = low; bucket < high; bucket += 1) weigh(bucket, { name, sign: 1 });
    }
    for (const { sign } of edges) {
      place += 1;
      weigh(-place, { name, sign });
    }
  }
  return weights;
}

function emptySpans<Name extends string>(names: readonly Name[]): Record<Name, Figures> {
  return Object.fromEntries(names.map((name) => [name, new Map()])) as Record<Name, Figures>;
}

function add(figures: Figures, account_id: string, group: KindGroup, sums: Sums, sign: 1 | -1): void {
  const known = figures.get(account_id) ?? {};
  figures.set(account_id, known);
  const { debit, credit } = known[group] ?? { debit: 0n, credit: 0n };
  known[group] =
    sign === 1
      ? { debit: debit + sums.debit, credit: credit + sums.credit }
      : { debit: debit - sums.debit, credit: credit - sums.credit };
}
