import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { steadyPace } from '../../../../shared/platform/imports/run/pace.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import { newActor } from '../../../support/actors.ts';
import { freshDatabase } from '../../../support/database.ts';
import { importsOf } from '../../../support/imports.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'imports-order-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

type Contact = { email: string; full_name: string; status: string; attributes: object; is_in_order: boolean };

/** Addresses in no order, each once; the 7th of every ten in capital letters. */
function emailOf(at: number): string {
  const email = `u${Math.imul(at, 2_654_435_761) >>> 0}@example.jp`;
  return at % 10 === 7 ? email.toUpperCase() : email;
}

/** Imports so many rows as one chunk; answers the contacts in the order of their IDs. */
async function imported(count: number, options: Record<string, unknown> = {}): Promise<Contact[]> {
  const actor = await newActor(database.database);
  const imports = importsOf({ database, actor, storage: diskStorage(folder) });
  const lines = Array.from({ length: count }, (_, at) => `${emailOf(at)},花子${at},山田,"a\\b\t${at}"\n`);
  const row = await imports.create(`email,first_name,last_name,note\n${lines.join('')}`, options);
  await imports.run(row, { pace: steadyPace(count) });
  return imports.query<Contact>(
    `SELECT email, full_name, status, attributes,
            email_key >= lag(email_key, 1, '') OVER (ORDER BY id) AS is_in_order
       FROM mail_contacts WHERE organization_id = $1 ORDER BY id`,
    [actor.organization_id],
  );
}

describe('the contacts of a chunk', () => {
  test('are in the order of the file when they are few', async () => {
    const contacts = await imported(300);
    assert.deepEqual(
      contacts.map(({ email }) => email),
      Array.from({ length: 300 }, (_, at) => emailOf(at)),
    );
  });

  test('are in the order of their addresses when they are many, each with its own values', async () => {
    const contacts = await imported(6_000, { keep_unmapped: true });
    assert.equal(contacts.length, 6_000);
    assert.ok(contacts.every(({ is_in_order }) => is_in_order));
    const byEmail = new Map(contacts.map((contact) => [contact.email, contact]));
    for (let at = 0; at < 6_000; at += 1) {
      const { full_name, status, attributes } = byEmail.get(emailOf(at))!;
      assert.deepEqual(
        { full_name, status, attributes },
        { full_name: `山田 花子${at}`, status: 'active', attributes: { note: `a\\b\t${at}` } },
      );
    }
  });
});
