import assert from 'node:assert/strict';
import type { Client } from './client.ts';
import { formWith } from './uploads.ts';

/** Files that say enough to make a record, by the kind of import that takes them. */
const files = {
  'mail.contacts': 'email\nhanako.yamada@example.co.jp\n',
  'crm.companies': '会社名\n株式会社山田商店\n',
  'crm.contacts': '姓,名\n山田,花子\n',
  'crm.deals': '案件名\n基幹システム更新\n',
  'accounting.journals': '日付,勘定科目コード,借方,貸方\n2026-04-01,6310,1000,\n2026-04-01,1110,,1000\n',
  'attendance.records': '社員番号,日付,出勤,退勤\nE1,2026-11-02,9:00,18:00\n',
  'invoicing.quotations': '取引先名,見積日,品名,単価\n株式会社山田商店,2026-04-01,コーヒー豆,1000\n',
  'invoicing.invoices': '取引先名,請求日,品名,単価\n株式会社山田商店,2026-04-30,コーヒー豆,1000\n',
  'invoicing.delivery_notes': '取引先名,納品日,品名,単価\n株式会社山田商店,2026-04-10,コーヒー豆,1000\n',
  'invoicing.purchase_orders': '取引先名,発注日,品名,単価\n株式会社山田商店,2026-04-01,コーヒー豆,1000\n',
  'invoicing.deposits': '日付,摘要,出金額,入金額\n2026/05/29,ﾔﾏﾀﾞｼﾖｳﾃﾝ,,11000\n',
};

/** Where files of a kind are sent. */
const uploads: Record<string, string> = {
  'attendance.records': '/attendance/imports',
  'invoicing.quotations': '/quotations/import',
  'invoicing.invoices': '/invoices/import',
  'invoicing.delivery_notes': '/delivery-notes/import',
  'invoicing.purchase_orders': '/purchase-orders/import',
  'invoicing.deposits': '/deposits/import',
};

const uploadPathOf = (kind: string) => uploads[kind] ?? `/${kind.replace('.', '/')}/import`;

type Call = { path: string; body?: unknown };

/** By what their IDs begin with, the kind by which calls about imports are tried, and where they stand. */
const areas = {
  mail: ['mail.contacts', '/mail'],
  crm: ['crm.contacts', '/crm'],
  accounting: ['accounting.journals', '/accounting'],
  attendance: ['attendance.records', '/attendance'],
  'invoicing.quotations': ['invoicing.quotations', '/quotations'],
  'invoicing.invoices': ['invoicing.invoices', '/invoices'],
  'invoicing.delivery_notes': ['invoicing.delivery_notes', '/delivery-notes'],
  'invoicing.purchase_orders': ['invoicing.purchase_orders', '/purchase-orders'],
  'invoicing.deposits': ['invoicing.deposits', '/deposits'],
} as const;

/** What must have been done to an import before it can be done to it. */
const before: Record<string, readonly string[]> = {
  cancel: [],
  pause: [],
  resume: ['pause'],
  revert: ['cancel'],
};

/** A call that succeeds for each write of imports, by the endpoint's ID. */
export const importCalls: Record<string, (client: Client) => Promise<Call>> = {
  ...Object.fromEntries(
    Object.entries(files).flatMap(([kind, text]) => {
      const path = uploadPathOf(kind);
      return [
        [`${kind}.import`, async () => ({ path, body: formWith(text) })],
        [`${kind}.preview_import`, async () => ({ path: `${path}/preview`, body: formWith(text) })],
      ];
    }),
  ),
  ...Object.fromEntries(
    Object.entries(areas).flatMap(([area, [kind, base]]) =>
      Object.entries(before).map(([name, steps]) => [
        `${area}.imports.${name}`,
        async (client: Client) => {
          const begun = await client.post(uploadPathOf(kind), formWith(files[kind]));
          assert.equal(begun.status, 202, begun.text);
          const path = `${base}/imports/${begun.body.import.id}`;
          for (const step of steps) assert.ok((await client.post(`${path}/${step}`)).status < 300);
          return { path: `${path}/${name}` };
        },
      ]),
    ),
  ),
};
