import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removeResponses } from '../../shared/forms/responses/remove.ts';
import { startApp } from '../support/app.ts';
import { ended } from '../support/exports.ts';
import { somebodyWaits, whileHeld } from '../support/held.ts';
import { jobStep } from '../support/jobs.ts';
import {
  countsOf,
  ENQUIRY_WITH_FILES,
  everythingKept,
  storedFile,
  storedForm,
  storedPartial,
  storedResponse,
} from '../support/stored-responses.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
const environment = { DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir };
const startErasing = () => startWorkers(environment, ['--queues', 'report-export']);

async function answered(count: number) {
  const client = await app.actor();
  const where = { database: app.database, organization_id: client.actor.organization_id };
  const schema = { ...ENQUIRY_WITH_FILES, hidden: ['customer'] };
  const forms = [await storedForm(where, { schema }), await storedForm(where, { schema })];
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const form_id = forms[index % 2]!;
    ids.push(await storedResponse(where, { form_id, email: 'Hanako@Example.com', is_spam: index % 5 === 4 }));
  }
  await storedResponse(where, { form_id: forms[0]!, email: 'taro@example.com' });
  return { client, where, forms, ids };
}

const partialsOf = (organization_id: string) =>
  app.database.withConnection(organization_id, ({ query }) =>
    query('SELECT id FROM forms_partials WHERE organization_id = $1', [organization_id]),
  );

/** A saved partial of an invitation, which names no address. */
async function savedBy(
  client: { actor: { organization_id: string } },
  form_id: string,
  invitation_id: string,
) {
  const { organization_id } = client.actor;
  const where = { database: app.database, organization_id };
  const id = await storedPartial(where, {
    form_id,
    email: 'saburo@example.com',
    expires_at: new Date(Date.now() + 1e9),
  });
  await app.database.withConnection(organization_id, ({ query }) =>
    query('UPDATE forms_partials SET invitation_id = $2 WHERE id = $1', [id, invitation_id]),
  );
}

/** More than one part forgets. */
const MANY_INVITATIONS = 120;

/** More than one part ends. */
const MANY_PARTIALS = 205;

/** As many copies of a saved partial, each with an ID and a nonce of its own. */
function copiesOf(organization_id: string, partial_id: string, count: number) {
  return app.database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO forms_partials (organization_id, id, form_id, form_version, nonce_hash, form_token, data, email_keys,
         locale, created_at, updated_at, expires_at)
       SELECT organization_id, id || n, form_id, form_version, nonce_hash || n, form_token, data, email_keys, locale, created_at,
           updated_at, expires_at
         FROM forms_partials, generate_series(1, $2) AS n WHERE id = $1`,
      [partial_id, count],
    ),
  );
}

describe('an erasure', () => {
  it('counts alone when it is dry, and erases every response with the address, whatever its case', async () => {
    const { client, where, forms, ids } = await answered(5);
    const { organization_id } = where;
    const [form_id] = forms;
    await storedFile(app, { organization_id, form_id: form_id!, response_id: ids[0]! });
    const partial_id = await storedPartial(where, {
      form_id: form_id!,
      expires_at: new Date(Date.now() + 1e9),
    });
    await copiesOf(organization_id, partial_id, MANY_PARTIALS - 1);
    const recipient = { name: '花子さま', hidden: { customer: '花子' } };
    const recipients = ['hanako@example.com', 'Hanako@Example.com', 'saburo@example.com'].map((email) => ({
      ...recipient,
      email,
    }));
    const invited = await client.post(`/forms/${form_id}/invitations`, { recipients });
    const tokens = invited.body.invitations.map(({ url }: { url: string }) => url.split('?i=')[1]);
    const [{ slug }] = (await app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT slug FROM organizations WHERE id = $1', [organization_id]),
    )) as [{ slug: string }];
    const page = `/forms/p/${slug}/${form_id!.replace('_', '-')}`;
    const opened = async () => {
      const replies = await Promise.all(
        tokens.map((token: string) => app.anonymous.get(`${page}?invitation=${token}`)),
      );
      return replies.map(({ status }) => status);
    };
    await savedBy(client, form_id!, invited.body.invitations[0].id);
    const company = (await client.post('/crm/companies', { name: '山田商店' })).body.company.id;
    const names = { last_name: '山田', first_name: '花子' };
    const contact = (await client.post('/crm/contacts', names)).body.contact.id;
    await app.database.withConnection(organization_id, ({ query }) =>
      query('UPDATE forms_responses SET crm_contact_id = $2, crm_company_id = $3 WHERE id = $1', [
        ids[0],
        contact,
        company,
      ]),
    );
    const counted = {
      response_count: 5,
      file_count: 1,
      partial_count: MANY_PARTIALS,
      invitation_count: 2,
      fields: [{ id: 'email', type: 'email' }],
      crm_records: [
        { type: 'contact', id: contact },
        { type: 'company', id: company },
      ],
    };
    const erasing = await startErasing();
    const dry = await client.post('/forms/erase', { email: 'hanako@example.com', dry_run: true });
    assert.equal(dry.status, 202, dry.text);
    assert.deepEqual((await ended(client, dry.body.job.id)).result, { ...counted, dry_run: true });
    assert.deepEqual(await countsOf(where, form_id!), { responses: 3, spam: 1 });
    assert.deepEqual(await opened(), [200, 200, 200]);
    const asked = await client.post('/forms/erase', { email: 'HANAKO@example.com' });
    assert.deepEqual((await ended(client, asked.body.job.id)).result, { ...counted, dry_run: false });
    await erasing.stop();
    assert.deepEqual(await countsOf(where, form_id!), { responses: 1, spam: 0 });
    const kept = (await everythingKept(where)).toLowerCase();
    assert.ok(!kept.includes('hanako'), 'the address stands nowhere');
    assert.deepEqual(await opened(), [404, 404, 200], 'its invitations have ended');
    const { items } = (await client.get(`/forms/${form_id}/invitations`)).body;
    assert.deepEqual(
      items.map(({ email, name, hidden }: typeof recipient & { email: string }) => [email, name, hidden]),
      [['saburo@example.com', recipient.name, recipient.hidden], ...Array(2).fill([null, null, {}])],
    );
    assert.deepEqual(await partialsOf(organization_id), [], 'with what was saved by them');
    assert.ok(kept.includes('taro@'), 'what others answered stays');
  });

  it('has an export begin anew that has read what is erased', async () => {
    const { client, where, forms, ids } = await answered(1);
    const { organization_id } = where;
    const [form_id] = forms;
    const exporting = await startErasing();
    const job_id = await jobStep(app, organization_id, async (work) => {
      // The export has its moment of the database by then, and waits with reading.
      await work.connection.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await work.connection.query('LOCK TABLE forms_responses IN ACCESS EXCLUSIVE MODE');
      const asked = await client.post(`/forms/${form_id}/responses/export`, {});
      assert.equal(asked.status, 202, asked.text);
      await somebodyWaits(app.database);
      await removeResponses(work, ids);
      return asked.body.job.id as string;
    });
    const { status, result } = await ended(client, job_id);
    await exporting.stop();
    assert.deepEqual([status, result!['rows'], result!['form_id']], ['succeeded', 1, form_id]);
    const { text } = await client.get(`/jobs/${job_id}/file`);
    assert.ok(!text.toLowerCase().includes('hanako') && text.includes('taro@'), text);
    await client.delete(`/forms/${form_id}/responses/${ids[0]}`);
    assert.equal((await client.get(`/jobs/${job_id}/file`)).status, 200, 'nothing went that it shows');
  });

  it('goes on in another worker when its own is killed in the middle, and counts each response once', async () => {
    const { client, where, forms } = await answered(120);
    const asked = await client.post('/forms/erase', { email: 'hanako@example.com' });
    await whileHeld(app.database, 'forms_files', async () => {
      const first = await startErasing();
      await somebodyWaits(app.database);
      await first.kill();
    });
    const second = await startErasing();
    const job = await ended(client, asked.body.job.id);
    await second.stop();
    assert.equal(job.status, 'succeeded', JSON.stringify(job));
    assert.equal(job.result!['response_count'], 120);
    for (const [index, form_id] of forms.entries()) {
      assert.deepEqual(await countsOf(where, form_id), { responses: index === 0 ? 1 : 0, spam: 0 });
    }
    assert.ok(!(await everythingKept(where)).toLowerCase().includes('hanako'));
  });

  it('goes on within its invitations in another worker, and forgets and counts each once', async () => {
    const { client, where, forms } = await answered(1);
    const { organization_id } = where;
    const form_id = forms[0]!;
    const recipients = Array.from({ length: MANY_INVITATIONS }, () => ({ email: 'hanako@example.com' }));
    const invited = await client.post(`/forms/${form_id}/invitations`, { recipients });
    assert.equal(invited.status, 201, invited.text);
    const ids: string[] = invited.body.invitations.map(({ id }: { id: string }) => id).toSorted();
    const forgotten = () =>
      app.database.withConnection(organization_id, async ({ query }) => {
        const [row] = await query<{ count: number }>(
          'SELECT count(*)::integer AS count FROM forms_invitations WHERE form_id = $1 AND email IS NULL',
          [form_id],
        );
        return row!.count;
      });
    const asked = await client.post('/forms/erase', { email: 'hanako@example.com' });
    await jobStep(app, organization_id, async ({ connection }) => {
      await connection.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await connection.query('SELECT FROM forms_invitations WHERE id = $1 FOR UPDATE', [ids.at(-1)]);
      const first = await startErasing();
      await somebodyWaits(app.database);
      await first.kill();
      assert.equal(await forgotten(), 100, 'the first part has committed');
    });
    const second = await startErasing();
    const job = await ended(client, asked.body.job.id);
    await second.stop();
    assert.equal(job.status, 'succeeded', JSON.stringify(job));
    assert.deepEqual([job.result!['response_count'], job.result!['invitation_count']], [1, MANY_INVITATIONS]);
    assert.equal(await forgotten(), MANY_INVITATIONS);
    const told = (await client.get('/forms/audit-logs?entity_type=invitation&action=update')).body;
    assert.equal(told.total, MANY_INVITATIONS);
    assert.ok(!(await everythingKept(where)).toLowerCase().includes('hanako'));
  });

  it('needs the scopes of both', async () => {
    const { client, where } = await answered(0);
    const { organization_id } = where;
    for (const scopes of [['forms:write'], ['settings:write']] as const) {
      const other = await app.actor({ organization_id, scopes: [...scopes] });
      const refused = await other.post('/forms/erase', { email: 'hanako@example.com' });
      assert.equal(refused.body.code, 'insufficient_scope');
    }
    assert.equal((await client.post('/forms/erase', { email: 'nobody' })).status, 422);
  });
});
