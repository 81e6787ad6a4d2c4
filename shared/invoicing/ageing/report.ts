import { createHash } from 'node:crypto';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport, Report, ReportColumn, ReportRow } from '../../platform/reports/report.ts';
import { withTotal } from '../../platform/reports/sums.ts';
import { contextOf } from '../documents/context.ts';
import { type AgeingBucket, ageingBuckets, OUTSTANDING, outstandingBucket } from '../documents/due.ts';
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

const BY_COMPANY = `
  SELECT aged.company_id, company.name, ${ageingBuckets.map((bucket) => `aged."${bucket}"`).join(', ')}, aged.balance
    FROM (
      SELECT company_id,
             ${ageingBuckets.map((bucket) => `coalesce(sum(balance) FILTER (WHERE bucket = '${bucket}'), 0) AS "${bucket}"`).join(', ')},
             sum(balance) AS balance
        FROM (
          SELECT company_id, balance, ${outstandingBucket('$2::date')} AS bucket
            FROM invoicing_documents
           WHERE organization_id = $1 AND kind = 'invoice' AND ${OUTSTANDING}
             AND ($3::text IS NULL OR company_id = $3)
        ) AS open
       GROUP BY company_id
    ) AS aged
    JOIN crm_companies AS company ON company.organization_id = $1 AND company.id = aged.company_id`;

/** The companies that owe the most stand first. */
const ROWS = `SELECT array_to_json(ARRAY[company_id, name, ${[...ageingBuckets, 'balance'].map((name) => `"${name}"::text`).join(', ')}]) AS cells
  FROM (${BY_COMPANY}) AS rows ORDER BY balance DESC, company_id`;

const STATE = `SELECT count(*)::int AS lines, coalesce(sum(hashtextextended(rows::text, 0)), 0)::text AS sum
  FROM (${BY_COMPANY}) AS rows`;

/** What each company owes, by how long it is overdue: the invoices that are issued and not settled, by their balance. */
export const ageingReport: Report = {
  name: 'invoicing.ageing',
  scope: 'invoicing:read',
  title: { ja: '売掛金年齢表', en: 'Aged receivables' },
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
    const [row] = await reader.connection.query<{ lines: number; sum: string }>(
      STATE,
      valuesOf(reader, asked),
      { prepared: false },
    );
    const { settings } = await contextOf(reader);
    const shown = [row!.sum, settings.issuer_name, settings.time_zone];
    return {
      lines: row!.lines,
      revision: createHash('sha256').update(JSON.stringify(shown)).digest('hex'),
    };
  },

  rows(reader, asked, language, fetch) {
    const found = fetch<{ cells: string[] }>(ROWS, valuesOf(reader, asked));
    return withTotal(columns, linesOf(found), language === 'ja' ? '合計' : 'Total');
  },
};

async function* linesOf(found: AsyncIterable<{ cells: string[] }>): AsyncGenerator<ReportRow, void, void> {
  for await (const { cells } of found) yield { type: 'line', cells };
}

function valuesOf({ organization_id }: Reader, { as_of, company_id }: AskedReport) {
  return [organization_id, as_of, company_id ?? null];
}
