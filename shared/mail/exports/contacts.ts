import type { Reader } from '../../kernel/reader.ts';
import {
  column,
  type ExportColumn,
  type Exporter,
  headerOf,
  joined,
  type KeyedColumns,
} from '../../platform/exports/exporter.ts';
import { commonHeaders } from '../../platform/exports/headers.ts';
import { labelsOf } from '../../platform/imports/reading/field.ts';
import { fieldNamed } from '../../platform/imports/reading/headers.ts';
import { mailContactList } from '../contacts/queries.ts';
import { mailContactFields } from '../imports/fields.ts';
import { mailContactWords } from './words.ts';

const table = 'mail_contacts';

const memberships = `mail_list_members AS membership
  JOIN mail_lists AS list ON list.organization_id = membership.organization_id AND list.id = membership.list_id
 WHERE membership.organization_id = "${table}".organization_id AND membership.contact_id = "${table}".id`;

const consent = (field: string) =>
  column(table, `consent_${field}`, 'text', `"${table}".consent ->> '${field}'`);

const columns: ExportColumn[] = [
  column(table, 'id', 'text'),
  column(table, 'external_id', 'text'),
  column(table, 'email', 'text'),
  column(table, 'last_name', 'text'),
  column(table, 'first_name', 'text'),
  column(table, 'full_name', 'text'),
  column(table, 'status', 'text'),
  column(table, 'status_reason', 'text'),
  column(table, 'list_ids', 'text', joined('list.id', 'list.id', memberships)),
  column(table, 'list_names', 'text', joined('list.name', 'list.id', memberships)),
  consent('basis'),
  consent('source'),
  consent('at'),
  consent('text'),
  consent('tracking'),
  column(table, 'last_sent_at', 'time'),
  column(table, 'last_opened_at', 'time'),
  column(table, 'last_clicked_at', 'time'),
  column(table, 'unsubscribed_at', 'time', `"${table}".refused_at`),
  column(table, 'metadata', 'text'),
  column(table, 'created_at', 'time'),
  column(table, 'updated_at', 'time'),
];

const japanese = {
  ...commonHeaders,
  ...labelsOf(mailContactFields),
  status: '状態',
  status_reason: '状態の理由',
  list_ids: 'リストID',
  list_names: 'リスト',
  consent_basis: '同意の根拠',
  consent_source: '同意の取得元',
  consent_at: '同意日時',
  consent_text: '同意文',
  consent_tracking: '計測への同意',
  last_sent_at: '最終送信日時',
  last_opened_at: '最終開封日時',
  last_clicked_at: '最終クリック日時',
  unsubscribed_at: '配信停止日時',
};

/** Mail contacts as a file. */
export const mailContactExport: Exporter = {
  name: 'mail.contacts',
  scope: 'mail:read',
  title: 'メール連絡先',
  columns,
  japanese,
  words: mailContactWords,
  keyed: attributes(),
  list: mailContactList,
};

/** With more attributes than that, all stand in one column as JSON, which an import reads too. */
const MOST_COLUMNS = 200;

/**
 * One column for each attribute that any contact of the organization has. Its header is the attribute's own name, which
 * an import that keeps unmapped columns makes into the attribute again.
 */
function attributes(): KeyedColumns {
  const name = 'attributes';
  const columnOf = (key: string): ExportColumn => ({
    name: `${name}.${key}`,
    header: attributeHeader(key),
    japanese: isJapaneseHeader(key) ? `${name}.${key}` : attributeHeader(key),
    kind: 'text',
    sql: `"${table}".attributes ->> ?`,
    values: [key],
  });
  return {
    name,
    async all(reader) {
      const keys = await attributeKeys(reader);
      return keys.length > MOST_COLUMNS ? [column(table, name, 'text')] : keys.map(columnOf);
    },
    byKey: async () => (key) => (key === '' ? null : columnOf(key)),
  };
}

/** The name itself, or behind `attributes.` where an import would take it for a field or cut it. */
function attributeHeader(key: string): string {
  const isTaken = fieldNamed(key, mailContactFields) !== null || key.startsWith('attributes.');
  return isTaken ? `attributes.${key}` : headerOf('attributes', key, columns);
}

function isJapaneseHeader(key: string): boolean {
  return Object.values<string>(japanese).includes(key);
}

async function attributeKeys({ connection, organization_id }: Reader): Promise<string[]> {
  const rows = await connection.query<{ key: string }>(
    `SELECT DISTINCT key COLLATE "C" AS key FROM mail_contacts, jsonb_object_keys(attributes) AS key
      WHERE organization_id = $1 AND attributes <> '{}' ORDER BY 1 LIMIT ${MOST_COLUMNS + 1}`,
    [organization_id],
    { prepared: false },
  );
  return rows.map(({ key }) => key);
}
