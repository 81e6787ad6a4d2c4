import type { Reader } from '../../kernel/reader.ts';
import type { KindGroup } from '../journals/kinds.ts';
import { kindGroups } from '../journals/kinds.ts';
import type { FiguresByAccount, Sums } from './figures.ts';
import { type DaySpan, type Segments, segmentsOf } from './segments.ts';

/** By what the sums of a report are told apart, beside their accounts. */
export type PartOf = 'company' | 'department' | 'tax_category';

/** Lines that count: those of these companies, and of one department (`''`: those that name none). */
export type LineFilter = {
  company_ids?: readonly string[] | undefined;
  department_id?: string | undefined;
  tax_category?: string | undefined;
};

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
 * month alone, and the days of broken months come from the lines, by the entries of those days. All is read by one statement, so that it is of one moment.
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
  const { text, prepared } = statementOf(asked);
  const values = [
    reader.organization_id,
    turns.length > 0 ? turns : [EVER],
    first ?? EVER,
    turns.at(-1) ?? EVER,
    days.map(({ from }) => from),
    days.map(({ to }) => to),
    ...valuesOf(asked),
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

const GROUPS = kindGroups.map((group) => `'${group}'`).join(', ');

/** The sum of the counters travels with the figures: whoever reads both is of one moment. */
const REVISION = `
  SELECT NULL AS account_id, NULL AS kind_group, NULL AS part, NULL AS bucket, sum(last_number)::text AS debit, NULL AS credit
    FROM accounting_fiscal_years WHERE organization_id = $1`;

const summed = (rows: string) => `
  SELECT account_id, kind_group, part, bucket, sum(debit)::text AS debit, sum(credit)::text AS credit FROM (${rows}) AS rows
   GROUP BY account_id, kind_group, part, bucket UNION ALL ${REVISION}`;

const OF_THE_BOOKS = summed(`
  SELECT account_id, kind_group, '' AS part, width_bucket(month, $2::date[]) AS bucket, debit, credit
    FROM accounting_months WHERE organization_id = $1 AND month >= $3 AND month < $4
  UNION ALL
  SELECT account.id, sums.kind_group, '', -range.place, sums.debit, sums.credit
    FROM unnest($5::date[], $6::date[]) WITH ORDINALITY AS range (first, last, place)
    JOIN accounting_accounts AS account ON account.organization_id = $1
   CROSS JOIN unnest(ARRAY[${GROUPS}] COLLATE "C") AS kind (kind_group)
   CROSS JOIN LATERAL (
     SELECT day.kind_group, sum(debit) AS debit, sum(credit) AS credit FROM accounting_days AS day
      WHERE day.organization_id = $1 AND day.account_id = account.id AND day.kind_group = kind.kind_group
        AND day.date BETWEEN range.first AND range.last
      GROUP BY day.kind_group) AS sums`);

const PARTS: Readonly<Record<PartOf, { month: string; line: string }>> = {
  company: { month: 'company_id', line: `coalesce(line.company_id, '')` },
  department: { month: 'department_id', line: `coalesce(line.department_id, '')` },
  tax_category: { month: 'tax_category', line: 'line.tax_category' },
};

const BY_LINE = `
  AND ($7::text[] IS NULL OR %company_id = ANY ($7)) AND ($8::text IS NULL OR %department_id = $8)
  AND ($9::text IS NULL OR %tax_category = $9)`;

/** `OFFSET 0` keeps the entries of each range a step of its own, so that they are found by the index of days. */
function byDimension(part: PartOf | undefined): string {
  const { month, line } = part ? PARTS[part] : { month: `''`, line: `''` };
  const ofMonths = BY_LINE.replaceAll('%', '');
  const ofLines = BY_LINE.replace('%company_id', PARTS.company.line)
    .replace('%department_id', PARTS.department.line)
    .replace('%tax_category', PARTS.tax_category.line);
  return summed(`
  SELECT account_id, kind_group, ${month} AS part, width_bucket(month, $2::date[]) AS bucket, debit, credit
    FROM accounting_months_by_dimension WHERE organization_id = $1 AND month >= $3 AND month < $4 ${ofMonths}
  UNION ALL
  SELECT line.account_id, line.kind_group, ${line}, -range.place, line.debit, line.credit
    FROM unnest($5::date[], $6::date[]) WITH ORDINALITY AS range (first, last, place)
   CROSS JOIN LATERAL (
     SELECT id FROM accounting_journals
      WHERE organization_id = $1 AND date BETWEEN range.first AND range.last AND number IS NOT NULL
      OFFSET 0) AS journal
    JOIN accounting_lines AS line ON line.organization_id = $1 AND line.journal_id = journal.id ${ofLines}`);
}

const BY_DIMENSION: Readonly<Record<PartOf | 'none', string>> = {
  none: byDimension(undefined),
  company: byDimension('company'),
  department: byDimension('department'),
  tax_category: byDimension('tax_category'),
};

function isByDimension<Name extends string>({ part, filter = {} }: Asked<Name>): boolean {
  return part !== undefined || Object.values(filter).some((value) => value !== undefined);
}

/** What is asked by dimension is planned by its values: a plan for any days would look up months one by one. */
function statementOf<Name extends string>(asked: Asked<Name>): { text: string; prepared: boolean } {
  if (!isByDimension(asked)) return { text: OF_THE_BOOKS, prepared: true };
  return { text: BY_DIMENSION[asked.part ?? 'none'], prepared: false };
}

function valuesOf<Name extends string>(asked: Asked<Name>): unknown[] {
  if (!isByDimension(asked)) return [];
  const { company_ids, department_id, tax_category } = asked.filter ?? {};
  return [company_ids ?? null, department_id ?? null, tax_category ?? null];
}
