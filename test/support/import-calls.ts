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
};

/** Where files of a kind are sent. */
const uploads: Record<string, string> = { 'attendance.records': '/attendance/imports' };

const uploadPathOf = (kind: string) => uploads[kind] ?? `/${kind.replace('.', '/')}/import`;

type Call = { path: string; body?: unknown };

/** The kind by which the imports of an area are tried. */
const kinds = {
  mail: 'mail.contacts',
  crm: 'crm.contacts',
  accounting: 'accounting.journals',
  attendance: 'attendance.records',
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
    (['mail', 'crm', 'accounting', 'attendance'] as const).flatMap((area) =>
      Object.entries(before).map(([name, steps]) => [
        `${area}.imports.${name}`,
        async (client: Client) => {
          const begun = await client.post(uploadPathOf(kinds[area]), formWith(files[kinds[area]]));
          assert.equal(begun.status, 202, begun.text);
          const path = `/${area}/imports/${begun.body.import.id}`;
          for (const step of steps) assert.ok((await client.post(`${path}/${step}`)).status < 300);
          return { path: `${path}/${name}` };
        },
      ]),
    ),
  ),
};
