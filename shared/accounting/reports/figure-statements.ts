import { kindGroups } from '../journals/kinds.ts';

/** By what the sums of a report are told apart, beside their accounts. */
export type PartOf = 'company' | 'department' | 'tax_category';

/** Lines that count: those of an account, of companies, and of one department; `''` is what names none. */
export type LineFilter = {
  account_id?: string | undefined;
  company_ids?: readonly string[] | undefined;
  department_id?: string | undefined;
  tax_category?: string | undefined;
};

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

/** Keeps a value of a statement and answers its place. */
export type AddValue = (value: unknown) => string;

/** The conditions on sums by dimension that a filter leaves. */
function sumConditions({ company_ids, department_id, tax_category }: LineFilter, add: AddValue): string {
  const conditions: string[] = [];
  if (company_ids !== undefined) conditions.push(`sums.company_id = ANY (${add(company_ids)}::text[])`);
  if (department_id !== undefined) conditions.push(`sums.department_id = ${add(department_id)}`);
  if (tax_category !== undefined) conditions.push(`sums.tax_category = ${add(tax_category)}`);
  return conditions.map((condition) => ` AND ${condition}`).join('');
}

/** The conditions on lines that a filter leaves, as the indexes of lines serve them; `line` is what they are called. */
export function lineConditions(filter: LineFilter, add: AddValue, line = 'line'): string {
  const { account_id, company_ids, department_id, tax_category } = filter;
  const conditions: string[] = [];
  if (account_id !== undefined) conditions.push(`${line}.account_id = ${add(account_id)}`);
  if (company_ids !== undefined) {
    const isNone = company_ids.includes('');
    conditions.push(
      isNone ? `${line}.company_id IS NULL` : `${line}.company_id = ANY (${add(company_ids)}::text[])`,
    );
  }
  if (department_id !== undefined) {
    conditions.push(
      department_id === ''
        ? `${line}.department_id IS NULL`
        : `${line}.department_id = ${add(department_id)}`,
    );
  }
  if (tax_category !== undefined) conditions.push(`${line}.tax_category = ${add(tax_category)}`);
  return conditions.map((condition) => ` AND ${condition}`).join('');
}

/** Whether sums by account alone do not tell what a filter asks for. */
export function hasDimension({ company_ids, department_id, tax_category }: LineFilter): boolean {
  return (company_ids ?? department_id ?? tax_category) !== undefined;
}

const RANGES = 'unnest($5::date[], $6::date[]) WITH ORDINALITY AS range (first, last, place)';

/**
 * The sums of one account: its own rows alone are read. The sums by dimension have the month first in their key, so they
 * are looked up month by month: those that the sums by month have.
 */
function ofAccount(filter: LineFilter): FiguresStatement {
  const more: unknown[] = [filter.account_id];
  if (!hasDimension(filter)) {
    const text = summed(`
  SELECT account_id, kind_group, '' AS part, width_bucket(month, $2::date[]) AS bucket, debit, credit
    FROM accounting_months WHERE organization_id = $1 AND account_id = $7 AND month >= $3 AND month < $4
  UNION ALL
  SELECT day.account_id, day.kind_group, '', -range.place, day.debit, day.credit
    FROM ${RANGES}
   CROSS JOIN unnest(ARRAY[${GROUPS}] COLLATE "C") AS kind (kind_group)
    JOIN accounting_days AS day ON day.organization_id = $1 AND day.account_id = $7
     AND day.kind_group = kind.kind_group AND day.date BETWEEN range.first AND range.last`);
    return { text, more, prepared: true };
  }
  const add: AddValue = (value) => `$${more.push(value) + 6}`;
  const ofSums = sumConditions(filter, add);
  const ofLines = lineConditions({ ...filter, account_id: undefined }, add);
  const text = summed(`
  SELECT whole.account_id, whole.kind_group, '' AS part, width_bucket(whole.month, $2::date[]) AS bucket, sums.debit, sums.credit
    FROM accounting_months AS whole
    JOIN accounting_months_by_dimension AS sums ON sums.organization_id = $1 AND sums.month = whole.month
     AND sums.account_id = whole.account_id AND sums.kind_group = whole.kind_group${ofSums}
   WHERE whole.organization_id = $1 AND whole.account_id = $7 AND whole.month >= $3 AND whole.month < $4
  UNION ALL
  SELECT line.account_id, line.kind_group, '', -range.place, line.debit, line.credit
    FROM ${RANGES}
    JOIN accounting_lines AS line ON line.organization_id = $1 AND line.account_id = $7
     AND line.date BETWEEN range.first AND range.last AND line.number IS NOT NULL${ofLines}`);
  return { text, more, prepared: false };
}

/**
 * A statement about figures; `more` are its values behind the six that all have. What is asked by dimension is not prepared
 * but planned by its values: a plan for any days would look up months one by one.
 */
export type FiguresStatement = { text: string; more: unknown[]; prepared: boolean };

/** The statement that reads what is asked for from the sums that tell it. */
export function figuresStatement({
  part,
  filter = {},
}: {
  part?: PartOf | undefined;
  filter?: LineFilter | undefined;
}): FiguresStatement {
  if (filter.account_id !== undefined && part === undefined) return ofAccount(filter);
  if (part === undefined && !hasDimension(filter)) return { text: OF_THE_BOOKS, more: [], prepared: true };
  const { company_ids = null, department_id = null, tax_category = null } = filter;
  const more = [company_ids, department_id, tax_category];
  return { text: BY_DIMENSION[part ?? 'none'], more, prepared: false };
}
