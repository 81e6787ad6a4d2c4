import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { newId } from '../../../../shared/kernel/id.ts';
import { createMailContact, updateMailContact } from '../../../../shared/mail/contacts/operations.ts';
import { joinMailList } from '../../../../shared/mail/lists/members.ts';
import { createMailList } from '../../../../shared/mail/lists/operations.ts';
import { createSuppression } from '../../../../shared/mail/suppressions/operations.ts';
import type { Pace } from '../../../../shared/platform/imports/run/pace.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import { newActor } from '../../../support/actors.ts';
import { freshDatabase } from '../../../support/database.ts';
import { importsOf, type TestImports } from '../../../support/imports.ts';
import {
  importedOneByOne,
  isNoRow,
  type ModelContact,
  type ModelOptions,
  type ModelRow,
} from '../../../support/mail-import-model.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'imports-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const addresses = ['a@x.jp', 'b@x.jp', 'c@x.jp', 'd@x.jp', 'e@x.jp', 'f@x.jp'];
const name = fc.constantFrom('', ' ', '太郎', '花子', 'Taro', "O'Neill", 'x'.repeat(101));
const storedName = fc.constantFrom(null, '太郎', 'Hana');
const time = (day: number) => `2026-0${day}-01T00:00:00.000Z`;
const consent = fc.option(fc.integer({ min: 1, max: 3 }), { nil: null });

const row: fc.Arbitrary<ModelRow> = fc.record({
  email: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(...addresses, ...addresses.map((address) => ` ${address.toUpperCase()}`)),
    },
    { weight: 1, arbitrary: fc.constantFrom('', 'no address', 'a@@x.jp') },
  ),
  first_name: name,
  last_name: name,
  company: fc.constantFrom('', 'A社', 'B "quoted"\nlines', 'C,D'),
  external_id: fc.constantFrom('', '', 'K-1', 'K-2', 'K-3', ' K-1', 'K,1'),
  metadata: fc.constantFrom('', '', '{"a":"1"}', '{"a":"2","b":"x"}', '{"a":null}', 'none'),
});

const before = fc.record({
  first_name: storedName,
  last_name: storedName,
  attributes: fc.constantFrom<Record<string, string>[]>({}, { company: 'A社' }, { other: '1' }),
  consent,
  external_id: fc.constantFrom(null, 'K-1', 'K-2', 'K-4'),
  metadata: fc.constantFrom<Record<string, string>[]>({}, { a: '1' }, { b: 'x' }),
  status: fc.constantFrom<ModelContact['status'][]>('active', 'active', 'active', 'unsubscribed', 'bounced'),
  membership: fc.constantFrom<ModelContact['membership'][]>(null, null, 'member', 'left'),
});

type Before = typeof before extends fc.Arbitrary<infer Value> ? Value : never;

const scenario = fc.record({
  rows: fc.array(row, { maxLength: 30 }),
  before: fc.dictionary(fc.constantFrom(...addresses), before, { maxKeys: 4 }),
  suppressed: fc.subarray(addresses, { maxLength: 2 }),
  options: fc.record({
    on_conflict: fc.constantFrom('update', 'fill_blank', 'skip'),
    keep_unmapped: fc.boolean(),
    has_keys: fc.boolean(),
    joins: fc.boolean(),
    dry_run: fc.boolean(),
    consent,
  }),
  chunk: fc.integer({ min: 1, max: 12 }),
  /** The run ends after so many chunks, once for each number, and another one goes on. */
  kills: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
});

const basis = (at: string) => ({
  basis: 'consent' as const,
  source: '展示会',
  at,
  text: null,
  tracking: false,
});

async function prepared(
  imports: TestImports,
  contacts: Record<string, Before>,
  suppressed: readonly string[],
): Promise<string> {
  const { id } = await imports.act(async (work) => createMailList(work, { name: newId('mlist', work.now) }));
  const given = new Set<string | null>();
  for (const [email, contact] of Object.entries(contacts)) {
    const { first_name, last_name, attributes, status, membership, metadata } = contact;
    const external_id = given.has(contact.external_id) ? null : contact.external_id;
    given.add(external_id);
    const agreed = contact.consent === null ? null : basis(time(contact.consent));
    const made = await imports.act((work) =>
      createMailContact(work, {
        email,
        first_name,
        last_name,
        attributes,
        consent: agreed,
        external_id,
        metadata,
      }),
    );
    if (membership) await imports.act((work) => joinMailList(work, id, made.id));
    if (membership === 'left') {
      await imports.query('UPDATE mail_list_members SET unsubscribed_at = added_at WHERE contact_id = $1', [
        made.id,
      ]);
      await imports.query('UPDATE mail_lists SET active_count = active_count - 1 WHERE id = $1', [id]);
    }
    if (status !== 'active') await imports.act((work) => updateMailContact(work, made.id, { status }));
  }
  for (const email of suppressed) {
    await imports.act((work) => createSuppression(work, { email, reason: 'asked' }));
  }
  return id;
}

function csv(rows: readonly ModelRow[], has_keys: boolean): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`;
  const header = ['email', 'first_name', 'last_name', 'company'] as const;
  const columns = has_keys ? ([...header, 'external_id', 'metadata'] as const) : header;
  return line(columns) + rows.map((one) => line(columns.map((column) => one[column]))).join('');
}

/** Runs an import until it is complete, killed after each of the given numbers of chunks. */
async function runWithKills(
  imports: TestImports,
  row: { id: string; job_id: string | null },
  chunk: number,
  kills: readonly number[],
): Promise<void> {
  for (const chunks of kills) {
    const killed = new AbortController();
    let left = chunks;
    const pace: Pace = {
      size: () => chunk,
      rest: async () => {
        left -= 1;
        if (left < 0) killed.abort(new Error('killed'));
      },
    };
    await imports
      .run(row, { pace, signal: killed.signal })
      .catch((error) => assert.equal(error.message, 'killed'));
  }
  await imports.run(row, { pace: { size: () => chunk, rest: async () => {} } });
}

async function contactsOf(imports: TestImports, list_id: string): Promise<Map<string, ModelContact>> {
  const rows = await imports.query<ModelContact & { email_key: string; full_name: string | null }>(
    `SELECT email_key, email, first_name, last_name, attributes, status, external_id, metadata,
            CASE WHEN consent IS NOT NULL THEN jsonb_build_object('at', consent->'at') END AS consent,
            CASE WHEN member.contact_id IS NULL THEN NULL WHEN unsubscribed_at IS NULL THEN 'member' ELSE 'left' END
              AS membership
       FROM mail_contacts LEFT JOIN mail_list_members AS member ON member.organization_id = mail_contacts.organization_id
            AND list_id = $2 AND contact_id = mail_contacts.id
      WHERE mail_contacts.organization_id = $1`,
    [imports.organization_id, list_id],
  );
  return new Map(rows.map(({ email_key, full_name, ...contact }) => [email_key, contact]));
}

async function countsHold(imports: TestImports, list_id: string): Promise<void> {
  const [list] = await imports.query<Record<string, number>>(
    `SELECT contact_count, active_count, (SELECT count(*) FROM mail_list_members AS member WHERE list_id = $2) AS members,
            (SELECT count(*) FROM mail_list_members AS member JOIN mail_contacts AS contact
               ON contact.organization_id = member.organization_id AND contact.id = contact_id
              WHERE list_id = $2 AND unsubscribed_at IS NULL AND status = 'active') AS active
       FROM mail_lists WHERE organization_id = $1 AND id = $2`,
    [imports.organization_id, list_id],
  );
  const { contact_count, active_count, members, active } = list!;
  assert.deepEqual([contact_count, active_count], [members, active]);
}

describe('an import of any rows, in any chunks, killed anywhere', () => {
  test('leaves what taking the rows one at a time leaves', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ rows, before, suppressed, options, chunk: size, kills }) => {
        // A dry run writes no ID that a later chunk could meet: it is exact within a chunk.
        const chunk = options.dry_run && options.has_keys ? rows.length + 1 : size;
        const actor = await newActor(database.database);
        const imports = importsOf({ database, actor, storage: diskStorage(folder) });
        const list_id = await prepared(imports, before, suppressed);
        const present = await contactsOf(imports, list_id);
        const agreed = options.consent === null ? null : { at: time(options.consent) };
        const model: ModelOptions = { ...options, consent: agreed };
        const expected = importedOneByOne(present, new Set(suppressed), rows, model);

        const { joins, consent: day, has_keys, ...rest } = options;
        const asked = {
          ...rest,
          ...(joins ? { list_id } : {}),
          ...(day === null ? {} : { consent: basis(time(day)) }),
        };
        const created = await imports.create(csv(rows, has_keys), asked);
        await runWithKills(imports, created, chunk, kills);

        const done = await imports.read(created.id);
        assert.equal(done.status, 'completed');
        assert.equal(done.total_rows, rows.filter((row) => !isNoRow(row, options)).length);
        const counts = Object.keys(expected.counts).map((each) => [
          each,
          done[`${each}_count` as 'error_count'],
        ]);
        assert.deepEqual(Object.fromEntries(counts), expected.counts);
        assert.deepEqual(await contactsOf(imports, list_id), expected.contacts);
        const errors = await imports.query(
          'SELECT row, code, "column" FROM import_errors WHERE import_id = $1 ORDER BY id',
          [created.id],
        );
        assert.deepEqual(errors, expected.errors);
        await countsHold(imports, list_id);
      }),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 60) },
    );
  });
});
