import { createHash } from 'node:crypto';
import type { Reader } from '../../kernel/reader.ts';
import type {
  AskedReport,
  FetchRows,
  Report,
  ReportColumn,
  ReportRow,
} from '../../platform/reports/report.ts';
import { withTotal } from '../../platform/reports/sums.ts';
import { contextOf, type DocumentContext } from '../documents/context.ts';
import { type AgeingBucket, ageingBuckets, OUTSTANDING, outstandingBucket } from '../documents/due.ts';
import { OPEN_THEN, valuesOfPast } from '../documents/open-then.ts';
import { day } from '../print/formats.ts';

/** Days overdue, as the heads of the columns. */
const titles: Record<AgeingBucket, { ja: string; en: string }> = {
  not_due: { ja: '期限前', en: 'Not due' },
  '1_30': { ja: '1〜30日', en: '1–30 days' },
  '31_60': { ja: '31〜60日', en: '31–60 days' },
  '61_90': { ja: '61〜90日', en: '61–90 days' },
  '91_plus': { ja: '91日以上', en: '91 days or more' },
};

const columns: readonly ReportColumn[] = [
  {
    name: 'company_id',
    kind: 'text',
    title: { ja: '取引先ID', en: 'Company ID' },
    width: 0,
    formats: ['json', 'csv'],
  },
  { name: 'name', kind: 'text', title: { ja: '取引先', en: 'Company' }, width: 51 },
  ...ageingBuckets.map((bucket) => yen(bucket, titles[bucket])),
  yen('balance', { ja: '残高', en: 'Balance' }),
];

function yen(name: string, title: ReportColumn['title']): ReportColumn {
  return { name, kind: 'yen', title, width: 20.5, is_summed: true };
}

/** `open` is SQL for open invoices; `$2` is the day, and the place of the company is told. */
const byCompany = (open: string, company: string) => `
  SELECT aged.company_id, company.name, ${ageingBuckets.map((bucket) => `aged."${bucket}"`).join(', ')}, aged.balance
    FROM (
      SELECT company_id,
             ${ageingBuckets.map((bucket) => `coalesce(sum(balance) FILTER (WHERE bucket = '${bucket}'), 0) AS "${bucket}"`).join(', ')},
             sum(balance) AS balance
        FROM (
          SELECT company_id, balance, ${outstandingBucket('$2::date')} AS bucket FROM (${open}) AS invoices
           WHERE ${company}::text IS NULL OR company_id = ${company}
        ) AS open
       GROUP BY company_id
    ) AS aged
    JOIN crm_companies AS company ON company.organization_id = $1 AND company.id = aged.company_id`;

const NOW = byCompany(
  `SELECT company_id, due_date, balance FROM invoicing_documents
    WHERE organization_id = $1 AND kind = 'invoice' AND ${OUTSTANDING}`,
  '$3',
);

const THEN = byCompany(OPEN_THEN, '$4');

/** The companies that owe the most stand first. */
const rowsOf = (by_company: string) =>
  `SELECT array_to_json(ARRAY[company_id, name, ${[...ageingBuckets, 'balance'].map((name) => `"${name}"::text`).join(', ')}]) AS cells
  FROM (${by_company}) AS rows ORDER BY balance DESC, company_id`;

const stateOf = (
  by_company: string,
) => `SELECT count(*)::int AS lines, coalesce(sum(hashtextextended(rows::text, 0)), 0)::text AS sum
  FROM (${by_company}) AS rows`;

/** What each company owes, by how long it is overdue: the invoices that are issued and not settled, by their balance. */
export const ageingReport: Report = {
  name: 'invoicing.ageing',
  scope: 'invoicing:read',
  title: { ja: '売掛金年齢表', en: 'Aged receivables' },
  counts_as_it_reads: true,
  columns: () => columns,

  async head(reader, { as_of = '' }, language) {
    const { settings } = await contextOf(reader);
    return {
      organization: settings.issuer_name,
      facts: [{ label: language === 'ja' ? '基準日' : 'As of', value: day(as_of, language) }],
      time_zone: settings.time_zone,
    };
  },

  async state(reader, asked) {
    const context = await contextOf(reader);
    const { by_company, values } = askedOf(reader, asked, context);
    const [row] = await reader.connection.query<{ lines: number; sum: string }>(stateOf(by_company), values, {
      prepared: false,
    });
    const { settings } = context;
    const shown = [row!.sum, settings.issuer_name, settings.time_zone];
    return {
      lines: row!.lines,
      revision: createHash('sha256').update(JSON.stringify(shown)).digest('hex'),
    };
  },

  rows(reader, asked, language, fetch) {
    return withTotal(columns, linesOf(reader, asked, fetch), language === 'ja' ? '合計' : 'Total');
  },
};

async function* linesOf(
  reader: Reader,
  asked: AskedReport,
  fetch: FetchRows,
): AsyncGenerator<ReportRow, void, void> {
  const { by_company, values } = askedOf(reader, asked, await contextOf(reader));
  for await (const { cells } of fetch<{ cells: string[] }>(rowsOf(by_company), values)) {
    yield { type: 'line', cells };
  }
}

/** What is read of open invoices, with its values: those of now, or of a day that is past. */
function askedOf(
  reader: Reader,
  { as_of, company_id = null }: { as_of?: string; company_id?: string | null },
  { today, settings }: DocumentContext,
): { by_company: string; values: (string | null)[] } {
  const day = as_of ?? today;
  if (day >= today) return { by_company: NOW, values: [reader.organization_id, day, company_id] };
  const past = { as_of: day, time_zone: settings.time_zone };
  return { by_company: THEN, values: [...valuesOfPast(reader, past), company_id] };
}
