import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../support/api.ts';
import { startApp } from '../../support/app.ts';
import { clientOf, type Reply } from '../../support/client.ts';
import { publishedForm } from '../../support/forms-made.ts';
import { freePort } from '../../support/free-port.ts';
import { isAwaited, whileHeld } from '../../support/held.ts';
import { countsOf } from '../../support/stored-responses.ts';
import { until } from '../../support/until.ts';

const app = await startApp();

const EACH = 6;

/** A form's own statement and the one at COMMIT refuse and count differently: both are cut. */
for (const [what, settings] of [
  ['whose rows are one statement', {}],
  ['with quota, person and effects', { max_responses: 2 * EACH, one_per: 'email', one_per_field: 'email' }],
] as const) {
  test(`an API that is killed amid submissions to a form ${what} leaves each whole or none, and all can be sent again`, async () => {
    const staff = await app.actor();
    const { organization_id, secret } = staff.actor;
    const where = { database: app.database, organization_id };
    const { id: form_id, slug } = await publishedForm(staff, {
      settings: {
        spam: { min_seconds: 0, per_address: 0 },
        notify: { emails: ['office@example.co.jp'] },
        ...settings,
      },
    });
    const [{ slug: of_organization }] = (await app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT slug FROM organizations WHERE id = $1', [organization_id]),
    )) as [{ slug: string }];
    const path = `/forms/p/${of_organization}/${slug}`;
    const tokens = await Promise.all(
      Array.from(
        { length: EACH },
        async () => (await app.anonymous.post(`${path}/tokens`, {})).body.form_token,
      ),
    );
    const port = await freePort();
    const environment = { DATABASE_URL: app.database_url };
    /** All of them at once: by key and as guests. */
    const sendAll = (base_url: string): Promise<Reply | 'cut'>[] => {
      const byKey = clientOf(base_url, { Authorization: `Bearer ${secret}` });
      const guest = clientOf(base_url, {});
      const data = (email: string) => ({ email: `${email}@example.co.jp`, text: '資料請求' });
      const replies = tokens.flatMap((form_token, n) => [
        guest.post(`${path}/responses`, { form_token, data: data(`guest${n}`) }),
        byKey.post(
          `/forms/${form_id}/responses`,
          { data: data(`key${n}`) },
          { 'Idempotency-Key': `${form_id}-${n}` },
        ),
      ]);
      return replies.map((reply) => reply.catch(() => 'cut' as const));
    };
    const killed = await startApi(port, environment);
    const cut = await whileHeld(app.database, 'audit_logs', async () => {
      const sent = sendAll(`http://127.0.0.1:${port}`);
      await until('submissions wait', () => isAwaited(app.database, 'audit_logs'));
      await killed.kill();
      return Promise.all(sent);
    });
    assert.deepEqual([...new Set(cut)], ['cut']);

    const idsIn = (replies: readonly (Reply | 'cut')[]) =>
      replies.map((reply) => {
        assert.ok(reply !== 'cut' && reply.status === 201, reply === 'cut' ? reply : reply.text);
        return reply.body.response.id as string;
      });
    // The database may end the sessions of the dead a moment later, and their keys are in use until then.
    const first = await until('no key is in use', async () => {
      const replies = await Promise.all(sendAll(app.base_url));
      return (
        !replies.some((reply) => reply !== 'cut' && reply.body.code === 'idempotency_key_in_use') && replies
      );
    });
    const ids = idsIn(first);
    assert.deepEqual(idsIn(await Promise.all(sendAll(app.base_url))), ids, 'the same are answered again');
    assert.equal(new Set(ids).size, 2 * EACH);
    assert.deepEqual(await countsOf(where, form_id), { responses: 2 * EACH, spam: 0 });
    const counted = await app.database.withConnection(organization_id, async ({ query }) => {
      const [row] = await query(
        `SELECT (SELECT count(*)::integer FROM forms_responses WHERE organization_id = $1 AND form_id = $2) AS stored,
            (SELECT count(*)::integer FROM forms_emails WHERE organization_id = $1 AND form_id = $2) AS addresses,
            (SELECT count(*)::integer FROM events WHERE organization_id = $1 AND type = 'forms.response.submitted') AS told,
            (SELECT count(*)::integer FROM audit_logs WHERE organization_id = $1 AND entity_type = 'response') AS audited,
            (SELECT count(*)::integer FROM forms_mails WHERE organization_id = $1 AND kind = 'notice') AS notices`,
        [organization_id, form_id],
      );
      return row;
    });
    const every = 2 * EACH;
    assert.deepEqual(counted, {
      stored: every,
      addresses: every,
      told: every,
      audited: every,
      notices: every,
    });
  });
}
