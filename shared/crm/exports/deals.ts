import { minorUnits } from '../../kernel/money.ts';
import { column, type ExportColumn, type Exporter, joined } from '../../platform/exports/exporter.ts';
import { commonHeaders } from '../../platform/exports/headers.ts';
import { labelsOf } from '../../platform/imports/reading/field.ts';
import { dealList } from '../deals/queries.ts';
import { dealFields } from '../imports/deals/fields.ts';
import { customColumns } from './custom-columns.ts';
import { ofReferred, ownerEmail, tagNames } from './reference.ts';
import { dealWords } from './words.ts';

const table = 'crm_deals';

const company = (name: string) => ofReferred(table, 'company_id', 'crm_companies', name);

const linked = (name: string) =>
  joined(
    `contact.${name}`,
    'link.sort_order, link.contact_id',
    `crm_deal_contacts AS link
       JOIN crm_contacts AS contact ON contact.organization_id = link.organization_id AND contact.id = link.contact_id
      WHERE link.organization_id = "${table}".organization_id AND link.deal_id = "${table}".id`,
  );

/** SQL for an amount with all decimals of its currency, half up as everywhere: amounts are not negative. */
function inCurrency(amount: string): string {
  const units = Map.groupBy(Intl.supportedValuesOf('currency'), minorUnits);
  const cases = [...units].map(
    ([digits, codes]) =>
      `WHEN "${table}".currency IN ('${codes.join("', '")}') THEN round(${amount}, ${digits})`,
  );
  return `CASE ${cases.join(' ')} ELSE ${amount} END`;
}

/** The decimals of all currencies are asked for with the first export: at each start that would take 40 ms. */
function amountColumn(name: string, amount: string): ExportColumn {
  return {
    name,
    header: name,
    kind: 'number',
    get sql() {
      return inCurrency(amount);
    },
  };
}

const japanese = {
  ...commonHeaders,
  ...labelsOf(dealFields),
  status: '状態',
  weighted_amount: '加重金額',
  closed_at: '完了日時',
  stage_slug: 'ステージコード',
  stage_entered_at: 'ステージ移行日時',
};

/** Deals as a file. */
export const dealExport: Exporter = {
  name: 'crm.deals',
  scope: 'crm:read',
  title: '案件',
  columns: [
    column(table, 'id', 'text'),
    column(table, 'external_id', 'text'),
    column(table, 'name', 'text'),
    column(table, 'pipeline_id', 'text'),
    column(table, 'pipeline', 'text', ofReferred(table, 'pipeline_id', 'crm_pipelines', 'name')),
    column(table, 'stage_id', 'text'),
    column(table, 'stage', 'text', ofReferred(table, 'stage_id', 'crm_stages', 'name')),
    column(table, 'stage_slug', 'text', ofReferred(table, 'stage_id', 'crm_stages', 'slug')),
    column(table, 'status', 'text'),
    amountColumn('amount', `"${table}".amount`),
    column(table, 'currency', 'text'),
    column(table, 'probability', 'number'),
    amountColumn('weighted_amount', `"${table}".amount * "${table}".probability / 100`),
    column(table, 'expected_close_date', 'day'),
    column(table, 'closed_at', 'time'),
    column(table, 'company_id', 'text'),
    column(table, 'company_external_id', 'text', company('external_id')),
    column(table, 'company_name', 'text', company('name')),
    column(table, 'contact_ids', 'text', linked('id')),
    column(table, 'contact_external_ids', 'text', linked('external_id')),
    column(table, 'contact_emails', 'text', linked('email')),
    column(table, 'owner_id', 'text'),
    ownerEmail(table),
    tagNames(table, 'deal'),
    column(table, 'lost_reason', 'text'),
    column(table, 'source', 'text'),
    column(table, 'metadata', 'text'),
    column(table, 'stage_entered_at', 'time'),
    column(table, 'created_by', 'text'),
    column(table, 'created_at', 'time'),
    column(table, 'updated_at', 'time'),
  ],
  japanese,
  words: dealWords,
  keyed: customColumns(table, 'deal', dealFields, japanese),
  list: dealList,
};
