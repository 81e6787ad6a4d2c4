import { createActivity } from '../../shared/crm/activities/operations.ts';
import type { ActivityInput } from '../../shared/crm/activities/record.ts';
import { createCompany } from '../../shared/crm/companies/operations.ts';
import type { CompanyInput } from '../../shared/crm/companies/record.ts';
import { createContact } from '../../shared/crm/contacts/operations.ts';
import { createDeal } from '../../shared/crm/deals/operations.ts';
import type { DealInput } from '../../shared/crm/deals/record.ts';
import { allPipelines, stagesOfPipelines } from '../../shared/crm/pipelines/queries.ts';
import { assignTag } from '../../shared/crm/tag-assignments/operations.ts';
import { createTag } from '../../shared/crm/tags/operations.ts';
import type { Work } from '../../shared/kernel/work.ts';

const DAY = 24 * 60 * 60 * 1000;

/* Nobody's: the domains are reserved for examples, and no telephone number has 0000 after its area code. */

const companies: CompanyInput[] = [
  {
    ...place('青葉精機株式会社', 'アオバセイキ', '宮城県', '仙台市青葉区', '022-0000-0101'),
    domain: 'aoba.example.jp',
    industry: '製造業',
    employee_count: 320,
    capital: 98_000_000,
    payment_terms: { closing_day: 'end', months_later: 1, pay_day: 'end' },
  },
  {
    ...place('株式会社みなと商事', 'ミナトショウジ', '神奈川県', '横浜市中区', '045-0000-0102'),
    domain: 'minato.example.jp',
    industry: '卸売業',
    employee_count: 85,
    capital: 30_000_000,
    payment_terms: { closing_day: 20, months_later: 1, pay_day: 'end' },
  },
  {
    ...place('北星ソフトウェア株式会社', 'ホクセイソフトウェア', '北海道', '札幌市中央区', '011-0000-0103'),
    domain: 'hokusei.example.jp',
    industry: '情報通信業',
    employee_count: 42,
    fiscal_month: 3,
  },
  {
    ...place('合同会社さくら設計', 'サクラセッケイ', '京都府', '京都市左京区', '075-0000-0104'),
    domain: 'sakura.example.jp',
    industry: '建設業',
    employee_count: 9,
    fiscal_month: 12,
  },
];

/** Last name, first name, both in kana, the letters of the address, position, company. */
const contacts = [
  ['佐藤', '美咲', 'サトウ', 'ミサキ', 'sato', '購買部長', 0],
  ['鈴木', '健一', 'スズキ', 'ケンイチ', 'suzuki', '工場長', 0],
  ['高橋', '直子', 'タカハシ', 'ナオコ', 'takahashi', '情報システム課', 0],
  ['田中', '翔太', 'タナカ', 'ショウタ', 'tanaka', '営業課長', 1],
  ['渡辺', '由美', 'ワタナベ', 'ユミ', 'watanabe', '経理部', 1],
  ['伊藤', '大輔', 'イトウ', 'ダイスケ', 'ito', '代表取締役', 2],
  ['山本', '彩', 'ヤマモト', 'アヤ', 'yamamoto', '開発部', 2],
  ['中村', '修', 'ナカムラ', 'オサム', 'nakamura', '代表社員', 3],
] as const;

/** Name, stage, yen, company, days until it is expected to close. */
const deals = [
  ['工作機械の保守契約', 'negotiation', '4800000', 0, 14],
  ['検査装置の更新', 'proposal', '12500000', 0, 45],
  ['受発注システム導入', 'qualification', '3200000', 1, 60],
  ['倉庫の在庫管理', 'lead', '900000', 1, 90],
  ['開発支援（半年）', 'closed_won', '5400000', 2, -3],
  ['図面管理の見直し', 'closed_lost', '650000', 3, -10],
] as const;

/** What happened, how many days ago, with which deal (its place above). */
const activities: { type: ActivityInput['type']; content: string; days_ago: number; deal: number }[] = [
  { type: 'meeting', content: '保守の範囲と年間の訪問回数を打ち合わせた。', days_ago: 2, deal: 0 },
  { type: 'call', content: '見積りの有効期限を月末まで延ばしてほしいとのこと。', days_ago: 1, deal: 1 },
  { type: 'email', content: '現行の受発注の流れを図にして送ってもらった。', days_ago: 5, deal: 2 },
  { type: 'note', content: '展示会で名刺を交換。来月あらためて連絡する。', days_ago: 12, deal: 3 },
  { type: 'meeting', content: 'キックオフ。来期の追加も見込めそう。', days_ago: 3, deal: 4 },
];

/** Fills an organization with companies, their people, deals at every stage, what happened with them, and tags. */
export async function createRecords(work: Work): Promise<void> {
  const company_ids: string[] = [];
  for (const company of companies) company_ids.push((await createCompany(work, company)).id);
  await work.flush();
  const contact_ids = await createContacts(work, company_ids);
  await work.flush();
  const deal_ids = await createDeals(work, company_ids, contact_ids);
  await work.flush();
  for (const { type, content, days_ago, deal } of activities) {
    const occurred_at = new Date(work.now.getTime() - days_ago * DAY).toISOString();
    const company_id = company_ids[deals[deal]![3]];
    await createActivity(work, { type, content, occurred_at, deal_id: deal_ids[deal], company_id });
  }
  await tagRecords(work, { company: company_ids[0]!, contact: contact_ids[3]!, deal: deal_ids[1]! });
}

async function createContacts(work: Work, company_ids: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [last_name, first_name, last_name_kana, first_name_kana, local, position, at] of contacts) {
    const names = { last_name, first_name, last_name_kana, first_name_kana };
    const email = `${local}@${companies[at]!.domain}`;
    const contact = { ...names, email, position, company_id: company_ids[at] };
    ids.push((await createContact(work, contact)).id);
  }
  return ids;
}

async function createDeals(
  work: Work,
  company_ids: readonly string[],
  contact_ids: readonly string[],
): Promise<string[]> {
  const pipelines = await allPipelines(work);
  const stages = await stagesOfPipelines(
    work,
    pipelines.filter(({ is_default }) => is_default).map(({ id }) => id),
  );
  const ids: string[] = [];
  for (const [name, slug, amount, at, days] of deals) {
    const close = new Date(work.now.getTime() + days * DAY).toISOString().slice(0, 10);
    const input: DealInput = {
      name,
      amount,
      expected_close_date: close,
      company_id: company_ids[at],
      stage_id: stages.find((stage) => stage.slug === slug)!.id,
      contact_ids: contact_ids.filter((_, place) => contacts[place]![6] === at).slice(0, 1),
      ...(slug === 'closed_lost' && { lost_reason: '予算が取れなかった' }),
    };
    ids.push((await createDeal(work, input)).id);
    await work.flush();
  }
  return ids;
}

async function tagRecords(
  work: Work,
  ids: { company: string; contact: string; deal: string },
): Promise<void> {
  const important = createTag(work, { name: '重要', color: '#B91C1C' });
  const fair = createTag(work, { name: '展示会', color: '#1D4ED8' });
  await work.flush();
  await assignTag(work, { tag_id: important.id, resource_type: 'company', resource_id: ids.company });
  await assignTag(work, { tag_id: important.id, resource_type: 'deal', resource_id: ids.deal });
  await assignTag(work, { tag_id: fair.id, resource_type: 'contact', resource_id: ids.contact });
}

function place(
  name: string,
  name_kana: string,
  prefecture: string,
  city: string,
  phone: string,
): CompanyInput {
  return { name, name_kana, prefecture, city, phone };
}
