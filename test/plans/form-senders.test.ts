import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { ADDRESS_KEY, refuseBusyAddress, senderOf } from '../../shared/forms/spam/address.ts';
import { newId } from '../../shared/kernel/id.ts';
import { type Reader, systemActor } from '../../shared/kernel/reader.ts';
import { usableKey } from '../../shared/platform/links/keys.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { looksOf } from '../support/looks.ts';
import { type SeededField, schemaWith, seedForm, seedResponses } from '../support/many-responses.ts';
import { plannedDatabase } from '../support/plans.ts';

/**
 * What addresses have sent is found by its index, whatever the server knows of the tables: it counts their rows after a while, and an
 * hour of guests may come before. Many other addresses have sent something within the ten minutes, in other organizations too.
 */
const GUESTS = 400;
const fields: SeededField[] = [{ id: 'text', type: 'long_text', label: '内容' }];
const said = () => ({ data: { text: '内容' } });
const TABLES = ['forms_responses', 'forms_files', 'forms_partials'];

/** What the server knew when it counted, before the guests came. */
const KNOWN = ['nothing', 'empty tables', 'rows of members', 'rows of guests'] as const;

for (const known of KNOWN) {
  describe(`where the server knows of ${known}`, async () => {
    const planned = await plannedDatabase();
    const { database } = planned;
    const connection = new pg.Client({ connectionString: database.url });
    await connection.connect();
    after(async () => {
      await connection.end();
      await database.drop();
    });
    const run = (text: string, values: unknown[] = []) => connection.query(text, values);
    for (const table of TABLES) await run(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    const counted = async () => {
      for (const table of TABLES) await run(`VACUUM ANALYZE ${table}`);
    };
    if (known === 'empty tables') await counted();
    const actor = await newActor(database.database);
    const { form_id } = await seedForm(database.database, actor, [schemaWith(fields)]);
    const other = await newActor(database.database);
    const others = await seedForm(database.database, other, [schemaWith(fields)]);
    await write(actor, form_id);
    if (known === 'rows of members') await counted();
    await comeAsGuests(actor, form_id);
    await write(other, others.form_id);
    await comeAsGuests(other, others.form_id);
    if (known === 'rows of guests') await counted();

    async function write(owner: TestActor, of_form: string): Promise<void> {
      await seedResponses(database.database, owner, { form_id: of_form, fields }, GUESTS, said);
      for (const [table, prefix, more] of [
        [
          'forms_files',
          'ffile',
          {
            field_id: 'papers',
            file_name: 'plan.pdf',
            size_bytes: 1,
            content_type: 'application/pdf',
            sha256: '',
            storage_key: '',
          },
        ],
        [
          'forms_partials',
          'fpart',
          {
            form_version: 1,
            form_token: '',
            data: {},
            hidden: {},
            email_keys: [],
            locale: 'ja',
            expires_at: new Date(),
            updated_at: new Date(),
          },
        ],
      ] as const) {
        const at = new Date();
        const rows = Array.from({ length: GUESTS }, () => ({
          organization_id: owner.organization_id,
          id: newId(prefix, at),
          form_id: of_form,
          nonce_hash: newId(prefix, at),
          created_at: at,
          ...more,
        }));
        const names = Object.keys(rows[0]!).join(', ');
        await run(
          `INSERT INTO ${table} (${names}) SELECT ${names} FROM jsonb_populate_recordset(null::${table}, $1)`,
          [JSON.stringify(rows)],
        );
      }
    }

    async function comeAsGuests(owner: TestActor, of_form: string): Promise<void> {
      for (const [table, at] of [
        ['forms_responses', 'submitted_at'],
        ['forms_files', 'created_at'],
        ['forms_partials', 'created_at'],
      ]) {
        await run(
          `UPDATE ${table} SET ${at} = now(), address_hash = 'hash of ' || id WHERE organization_id = $1 AND form_id = $2`,
          [owner.organization_id, of_form],
        );
      }
    }

    test('the admission looks at none of the others', async () => {
      await run('BEGIN');
      const senders = [['resp_one', 'resp_two', 'resp_three'], ['one', 'two', 'one'], Array(3).fill(60)];
      const { rows, scans, told } = await looksOf(connection, () =>
        run(`SELECT forms_admit_addresses($1, $2, $3, $4, $5, now() - interval '10 minutes')`, [
          actor.organization_id,
          form_id,
          ...senders,
        ]),
      );
      await run('ROLLBACK');
      assert.ok(rows <= 10, told);
      assert.equal(scans('forms_responses_by_sender'), 2, told);
    });

    for (const what of ['submission', 'upload', 'saving'] as const) {
      test(`who is about to send a ${what} is told by few rows`, async () => {
        const { indexes, rows } = await planned.plansOf(() =>
          database.database.withConnection(actor.organization_id, async (own) => {
            const reader: Reader = {
              connection: own,
              organization_id: actor.organization_id,
              actor: systemActor,
              request_id: null,
              ip_address: null,
              now: new Date(),
            };
            const use = { form_id, ip_address: '192.0.2.1', per_address: 60 };
            if (what !== 'submission') return refuseBusyAddress(reader, what, use);
            return senderOf(reader, await usableKey(reader, ADDRESS_KEY, () => Buffer.alloc(32)), use);
          }),
        );
        assert.ok(
          [...indexes].some((name) => /_by_sender$/.test(name)),
          [...indexes].join(),
        );
        assert.ok(rows <= 5, `${rows} rows were looked at`);
      });
    }
  });
}
