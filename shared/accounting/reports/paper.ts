import { createHash } from 'node:crypto';
import { companiesNamed } from '../../crm/companies/names.ts';
import { contextOf } from '../../invoicing/documents/context.ts';
import type { Language, Text } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport, ReportHead } from '../../platform/reports/report.ts';
import { NONE } from './asked.ts';

/** The names of what a report is narrowed by, as the head of its PDF says them. */
const labels: Readonly<Record<string, Text>> = {
  account_id: { ja: '勘定科目', en: 'Account' },
  company_id: { ja: '取引先', en: 'Company' },
  department_id: { ja: '部門', en: 'Department' },
  tax_category: { ja: '税区分', en: 'Tax category' },
  adjusting: { ja: '決算整理仕訳', en: 'Adjusting entries' },
  closing_entries: { ja: '決算振替仕訳', en: 'Closing entries' },
};

/** Choices in words; everything else is named by itself. */
const choices: Readonly<Record<string, Text>> = {
  include: { ja: '含む', en: 'included' },
  exclude: { ja: '除く', en: 'excluded' },
  only: { ja: 'のみ', en: 'only' },
  [NONE]: { ja: '指定なし', en: 'none' },
};

/** The head of a report's PDF: its days, the unit, and what it is narrowed by. */
export async function reportHead(
  reader: Reader,
  asked: AskedReport,
  language: Language,
): Promise<ReportHead> {
  const [{ settings }, names] = await Promise.all([contextOf(reader), namesOf(reader, asked)]);
  const say = (text: Text) => text[language];
  const facts = Object.entries(labels).flatMap(([name, label]) => {
    const value = asked[name];
    if (value === undefined) return [];
    const choice = choices[value];
    return [{ label: say(label), value: names.get(value) ?? (choice ? say(choice) : value) }];
  });
  return {
    organization: settings.issuer_name,
    facts: [
      asked['as_of']
        ? { label: say({ ja: '基準日', en: 'As of' }), value: shownDay(asked['as_of'], language) }
        : {
            label: say({ ja: '期間', en: 'Period' }),
            value: `${shownDay(asked['from']!, language)} ${language === 'ja' ? '〜' : '–'} ${shownDay(asked['to']!, language)}`,
          },
      { label: say({ ja: '単位', en: 'Unit' }), value: say({ ja: '円', en: 'yen' }) },
      ...facts,
    ],
    time_zone: settings.time_zone,
  };
}

function shownDay(day: string, language: Language): string {
  if (language === 'en') return day;
  const { year, month, day: number } = Temporal.PlainDate.from(day);
  return `${year}年${month}月${number}日`;
}

/** The names of the records that filters name, by their IDs. */
async function namesOf(
  reader: Reader,
  { account_id, company_id }: AskedReport,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (company_id !== undefined && company_id !== NONE) {
    for (const [id, { name }] of await companiesNamed(reader, [company_id])) names.set(id, name);
  }
  if (account_id !== undefined) {
    const [account] = await reader.connection.query<{ shown: string }>(
      `SELECT code || ' ' || name AS shown FROM accounting_accounts WHERE organization_id = $1 AND id = $2`,
      [reader.organization_id, account_id],
    );
    if (account) names.set(account_id, account.shown);
  }
  return names;
}

const BOOKS = `
  SELECT (SELECT sum(last_number) FROM accounting_fiscal_years WHERE organization_id = $1)::text AS numbers,
         (SELECT count(*) FROM accounting_accounts WHERE organization_id = $1)::int AS accounts,
         (SELECT max(updated_at) FROM accounting_accounts WHERE organization_id = $1)::text AS chart,
         (SELECT max(updated_at) FROM accounting_settings WHERE organization_id = $1)::text AS settings`;

type Books = { numbers: string | null; accounts: number; chart: string | null; settings: string | null };

/**
 * What a report's file is made of, as a hash: the counters of numbers, which change with every posting, the chart with its
 * names, and the names in the head. `more` is what else the file shows. `accounts` counts those of the chart.
 */
export async function paperState(
  reader: Reader,
  asked: AskedReport,
  more: readonly unknown[] = [],
): Promise<{ revision: string; accounts: number }> {
  const [books, head] = await Promise.all([
    reader.connection.query<Books>(BOOKS, [reader.organization_id]),
    reportHead(reader, asked, 'ja'),
  ]);
  const revision = createHash('sha256')
    .update(JSON.stringify([books[0], head, more]))
    .digest('hex');
  return { revision, accounts: books[0]!.accounts };
}
