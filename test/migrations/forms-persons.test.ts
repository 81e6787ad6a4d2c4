import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../shared/db/migrate.ts';
import { newId } from '../../shared/kernel/id.ts';
import { startApp } from '../support/app.ts';
import { backTo } from '../support/back-to.ts';
import { freshDatabase } from '../support/database.ts';
import { publishedForm, schemaOf } from '../support/forms-made.ts';

const own = await freshDatabase();
const app = await startApp({ database: own, environment: { RATE_LIMIT_PER_MINUTE: '0' } });
const client = await app.actor();
const { organization_id } = client.actor;
const pool = new pg.Pool({ connectionString: own.url });
after(async () => {
  await pool.end();
  await own.drop();
});

const schema_json = schemaOf([
  {
    fields: [
      { id: 'email', type: 'email', label: 'メール' },
      { id: 'mail2', type: 'email', label: '別のメール' },
    ],
  },
]);
const ONCE = { one_per: 'email', one_per_field: 'email' };
const REFUSED = 'forms_responses_once_a_person';

type Answers = { email?: string; mail2?: string };

/** A form that both releases take responses for, each answering what refused it; null for what was stored. */
async function opened(settings: Record<string, unknown>) {
  const { id } = await publishedForm(client, { schema_json, settings });
  return {
    id,
    change: async (changes: object) =>
      assert.equal((await client.patch(`/forms/${id}/settings`, changes)).status, 200),
    now: async (data: Answers) => {
      const { status, body, text } = await client.post(`/forms/${id}/responses`, { data });
      assert.ok(status === 201 || body.code === 'already_answered', text);
      return status === 201 ? null : REFUSED;
    },
    before: (data: Answers, person: string | null) => releaseBefore.store(id, data, person),
    stored: async () => {
      const { rows } = await pool.query<{ stored: number; counted: number }>(
        `SELECT (SELECT count(*)::integer FROM forms_responses WHERE form_id = $1) AS stored,
            (SELECT sum(response_count)::integer FROM forms_counts WHERE form_id = $1) AS counted`,
        [id],
      );
      return rows[0]!;
    },
  };
}

/** The statements of the release before, as it sends them; each answers the constraint that refused it, or null. */
const releaseBefore = {
  store: (form_id: string, data: Answers, person: string | null) =>
    committed(async (query) => {
      const id = newId('resp', new Date());
      await query(
        `INSERT INTO forms_responses (organization_id, id, form_id, form_version, data, locale, source, person_key, search_text,
           search_grams, submitted_at, updated_at)
         VALUES ($1, $2, $3, 1, $4, 'ja', 'api', $5, '', '{}', now(), now())`,
        [organization_id, id, form_id, JSON.stringify(data), person],
      );
      await writeAddresses(query, { id, form_id, data });
      await admit(query, { id, form_id, person, responses: 1 });
    }),
  edit: (form_id: string, id: string, data: Answers, person: string | null) =>
    committed(async (query) => {
      await query('UPDATE forms_responses SET person_key = $2 WHERE id = $1', [id, person]);
      await query('DELETE FROM forms_emails WHERE response_id = $1', [id]);
      await writeAddresses(query, { id, form_id, data });
      await admit(query, { id, form_id, person, responses: 0 });
    }),
};

type Query = (text: string, values: unknown[]) => Promise<unknown>;

async function writeAddresses(query: Query, of: { id: string; form_id: string; data: Answers }) {
  for (const [field_id, email] of Object.entries(of.data)) {
    await query(
      `INSERT INTO forms_emails (organization_id, response_id, form_id, field_id, email_key) VALUES ($1, $2, $3, $4, $5)`,
      [organization_id, of.id, of.form_id, field_id, email],
    );
  }
}

function admit(
  query: Query,
  of: { form_id: string; id: string; person: string | null; responses: number },
): Promise<unknown> {
  return query('SELECT forms_admit_response($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', [
    organization_id,
    of.form_id,
    of.id,
    of.person,
    null,
    null,
    3,
    of.responses,
    0,
    new Date().toISOString(),
  ]);
}

async function committed(run: (query: Query) => Promise<void>): Promise<string | null> {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    await run((text, values) => connection.query(text, values));
    await connection.query('COMMIT');
    return null;
  } catch (error) {
    await connection.query('ROLLBACK');
    const { constraint } = error as pg.DatabaseError;
    assert.ok(constraint, String(error));
    return constraint;
  } finally {
    connection.release();
  }
}

describe('once per person holds between this release and the one before', () => {
  test('for whom either has stored, by the settings of then or of now', async () => {
    const form = await opened({});
    assert.equal(await form.before({ email: 'a@example.com' }, null), null);
    assert.equal(await form.now({ email: 'b@example.com' }), null);
    await form.change(ONCE);
    for (const email of ['a@example.com', 'b@example.com']) {
      assert.equal(await form.now({ email }), REFUSED);
      assert.equal(await form.before({ email }, email), REFUSED);
    }
    assert.equal(await form.now({ email: 'c@example.com' }), null);
    assert.equal(await form.before({ email: 'c@example.com' }, 'c@example.com'), REFUSED);
    assert.equal(await form.before({ email: 'd@example.com' }, 'd@example.com'), null);
    assert.equal(await form.now({ email: 'D@example.com' }), REFUSED);
    assert.equal(await form.before({}, null), null, 'who names no address is nobody');
    assert.deepEqual(await form.stored(), { stored: 5, counted: 5 });
  });

  test('for a response that was judged by another field, or by none', async () => {
    const form = await opened({ one_per: 'email', one_per_field: 'mail2' });
    assert.equal(await form.now({ email: 'a@example.com', mail2: 'b@example.com' }), null);
    const other = { email: 'a@example.com', mail2: 'c@example.com' };
    assert.equal(await form.before(other, 'a@example.com'), null, 'the field of now decides');
    assert.equal(await form.before({ ...other, mail2: 'b@example.com' }, 'a@example.com'), REFUSED);
    await form.change({ one_per: 'none', one_per_field: null });
    assert.equal(await form.before({ mail2: 'b@example.com' }, 'b@example.com'), null);
  });

  test('for many that come to both at once', async () => {
    const form = await opened(ONCE);
    const email = 'a@example.com';
    const refusals = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 2 === 0 ? form.now({ email }) : form.before({ email }, email),
      ),
    );
    assert.equal(refusals.filter((refused) => refused === null).length, 1);
    assert.deepEqual(await form.stored(), { stored: 1, counted: 1 });
  });

  test('for who edits, and keeps the address or takes that of another one', async () => {
    const form = await opened({});
    const twin = 'a@example.com';
    await form.now({ email: twin });
    await form.now({ email: twin });
    await form.change(ONCE);
    await form.now({ email: 'b@example.com' });
    const { rows } = await pool.query<{ id: string }>(
      `SELECT response_id AS id FROM forms_emails WHERE form_id = $1 AND email_key = $2 LIMIT 1`,
      [form.id, twin],
    );
    const edit = (email: string) => releaseBefore.edit(form.id, rows[0]!.id, { email }, email);
    assert.equal(await edit(twin), null);
    assert.equal(await edit('b@example.com'), REFUSED);
  });
});

test('a database where 0119 had dropped what the release before needs gets it again, and both ways lead back', async () => {
  const catalogue = await kept();
  await backTo(own.url, '0133_forms_release_before');
  await pool.query(`
    DROP INDEX forms_responses_of_person;
    ALTER TABLE forms_responses DROP COLUMN person_key;
    DROP FUNCTION forms_admit_response(text, text, text, text, text, integer, integer, integer, integer, timestamptz)`);
  await migrate(own.url, { log: () => {} });
  assert.deepEqual(await kept(), catalogue);

  const form = await opened({});
  assert.equal(await form.now({ email: 'a@example.com' }), null);
  await form.change(ONCE);
  await backTo(own.url, '0119_forms_persons');
  assert.equal(await form.before({ email: 'a@example.com' }, 'a@example.com'), REFUSED);
  assert.equal(await form.before({ email: 'b@example.com' }, 'b@example.com'), null);
  await migrate(own.url, { log: () => {} });
  assert.deepEqual(await kept(), catalogue);
  assert.equal(await form.now({ email: 'b@example.com' }), REFUSED);
});

/** The columns and indexes of responses and their addresses, and what admits them. */
async function kept(): Promise<string[]> {
  const { rows } = await pool.query<{ text: string }>(`
    SELECT column_name || ' ' || data_type AS text FROM information_schema.columns WHERE table_name = 'forms_responses'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE tablename IN ('forms_responses', 'forms_emails')
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = 'forms_admit_response'
    ORDER BY 1`);
  return rows.map(({ text }) => text);
}
