import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createMailContact } from '../../../../shared/mail/contacts/operations.ts';
import { revertImport } from '../../../../shared/platform/imports/operations.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import { newActor } from '../../../support/actors.ts';
import { freshDatabase } from '../../../support/database.ts';
import { importsOf, mailImport } from '../../../support/imports.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'imports-consents-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const consent = {
  basis: 'consent',
  source: '展示会',
  at: '2026-04-01T00:00:00.000Z',
  text: null,
  tracking: false,
} as const;

async function newImports() {
  const actor = await newActor(database.database);
  const imports = importsOf({ database, actor, storage: diskStorage(folder) });
  /** What is recorded by address, the oldest first: where each consent was given, or that there is none. */
  const records = async () => {
    const rows = await imports.query<{ email: string; sources: string[] }>(
      `SELECT email, array_agg(coalesce(consent ->> 'source', 'none') ORDER BY created_at, id) AS sources
         FROM mail_consent_records WHERE organization_id = $1
          AND email_hash = sha256(convert_to($1 || chr(10) || lower(email), 'UTF8')) GROUP BY email`,
      [imports.organization_id],
    );
    return Object.fromEntries(rows.map(({ email, sources }) => [email, sources]));
  };
  return { imports, records };
}

test('an import records the consent of who is new, of who had an earlier one, and what it gives back', async () => {
  const { imports, records } = await newImports();
  const earlier = { ...consent, source: '窓口', at: '2026-03-01T00:00:00.000Z' };
  const later = { ...consent, source: '電話', at: '2026-05-01T00:00:00.000Z' };
  await imports.act((work) => createMailContact(work, { email: 'earlier@x.jp', consent: earlier }));
  await imports.act((work) => createMailContact(work, { email: 'later@x.jp', consent: later }));
  await imports.act((work) => createMailContact(work, { email: 'without@x.jp' }));
  const emails = ['New@x.jp', 'earlier@x.jp', 'later@x.jp', 'without@x.jp', 'new@x.jp'];
  const row = await imports.create(`email\n${emails.join('\n')}\n`, { consent });
  await imports.run(row);
  const recorded = {
    'New@x.jp': ['展示会'],
    'earlier@x.jp': ['窓口', '展示会'],
    'later@x.jp': ['電話'],
    'without@x.jp': ['展示会'],
  };
  assert.deepEqual(await records(), recorded);
  const { row: reverting } = await imports.act((work) => revertImport(work, mailImport, row.id));
  await imports.revert(reverting);
  assert.deepEqual(await records(), {
    ...recorded,
    'earlier@x.jp': ['窓口', '展示会', '窓口'],
    'without@x.jp': ['展示会', 'none'],
  });
});

test('an import without a consent records none, and one that is undone leaves who was mailed', async () => {
  const { imports, records } = await newImports();
  const row = await imports.create('email\np0@x.jp\np1@x.jp\n');
  await imports.run(row);
  assert.deepEqual(await records(), {});
  await imports.query(
    `WITH campaign AS (
       INSERT INTO mail_campaigns (organization_id, id, name, status, locale, purpose, track_opens, track_clicks, throttle,
         search_text, search_grams, created_at, updated_at)
       VALUES ($1, 'camp_1', 'A', 'sent', 'ja', 'notice', false, false, '{}', '', '{}', now(), now()) RETURNING id)
     INSERT INTO mail_campaign_recipients (organization_id, campaign_id, number, id, contact_id, email, email_key, email_hash,
       status, tracked, created_at, updated_at)
     SELECT $1, campaign.id, 1, 'mrcp_1', contact.id, email, email_key, ''::bytea, 'sent', false, now(), now()
       FROM campaign, mail_contacts AS contact WHERE organization_id = $1 AND email = 'p1@x.jp'`,
    [imports.organization_id],
  );
  const { row: reverting } = await imports.act((work) => revertImport(work, mailImport, row.id));
  await imports.revert(reverting);
  const left = await imports.query('SELECT email FROM mail_contacts WHERE organization_id = $1', [
    imports.organization_id,
  ]);
  assert.deepEqual(left, [{ email: 'p1@x.jp' }]);
  const { revert } = await imports.read(row.id);
  assert.deepEqual([revert?.deleted_count, revert?.left_count], [1, 1]);
});
