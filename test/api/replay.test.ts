import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../api/endpoints.ts';
import { withoutSecret } from '../../api/http/idempotency.ts';
import { takesIdempotencyKey } from '../../api/http/openapi/failures.ts';
import { transaction } from '../../shared/db/transaction.ts';
import { Work } from '../../shared/kernel/work.ts';
import { createJob } from '../../shared/platform/jobs/operations.ts';
import { startApp } from '../support/app.ts';
import { attendanceCalls } from '../support/attendance-calls.ts';
import { bookCalls } from '../support/book-calls.ts';
import { calendarCalls } from '../support/calendar-calls.ts';
import { cloudCalls } from '../support/cloud-calls.ts';
import { newSales, type Sales } from '../support/deals.ts';
import { depositCalls } from '../support/deposit-calls.ts';
import { documentCalls } from '../support/document-calls.ts';
import { startFeedServer } from '../support/feed-server.ts';
import { formsCalls } from '../support/forms-calls.ts';
import { formsGuardCalls } from '../support/forms-guard-calls.ts';
import { formsSubmitCalls } from '../support/forms-submit-calls.ts';
import { googleFake } from '../support/google.ts';
import { importCalls } from '../support/import-calls.ts';
import { mailGuestCalls } from '../support/mail-guest-calls.ts';
import { newOwner } from '../support/people.ts';
import { receivedActionCalls } from '../support/received-action-calls.ts';
import { receivedCalls } from '../support/received-calls.ts';
import { receivedFileCalls } from '../support/received-file-calls.ts';
import { receivedMoneyCalls } from '../support/received-money-calls.ts';
import { schedulerCalls } from '../support/scheduler-calls.ts';
import { addContact, newDraft, SENDER } from '../support/sendable-campaigns.ts';
import { signCalls } from '../support/sign-calls.ts';
import { signGuestCalls } from '../support/sign-guest-calls.ts';
import { signLifeCalls } from '../support/sign-life-calls.ts';

const google = await googleFake();
google.calendars.add('hanako@gmail.example');
const feeds = await startFeedServer();
const app = await startApp({ environment: { ...google.environment, CALENDAR_HOSTS: feeds.host } });

type Call = { path: string; body?: unknown; headers?: Record<string, string> };

/** Exports, one a list: each takes an empty body. */
const exports = Object.fromEntries(
  endpoints
    .filter(({ id }) => id.endsWith('.export'))
    .map(({ id, path }) => [id, async () => ({ path: path.replace('/api/v1', ''), body: {} })]),
);

/** A call that succeeds, for every endpoint that hears an Idempotency-Key. A new endpoint needs one here. */
const calls: Record<string, (sales: Sales) => Promise<Call>> = {
  ...exports,
  ...importCalls,
  ...documentCalls,
  ...depositCalls,
  ...bookCalls,
  ...cloudCalls,
  ...formsCalls,
  ...attendanceCalls,
  ...schedulerCalls,
  ...calendarCalls(app, google, feeds),
  ...receivedCalls,
  ...receivedFileCalls,
  ...receivedActionCalls,
  ...receivedMoneyCalls,
  ...signCalls,
  ...signGuestCalls(app),
  ...signLifeCalls(app),
  ...formsGuardCalls(app),
  ...formsSubmitCalls(app),
  ...mailGuestCalls(app),
  'organizations.create': async () => ({ path: '/organizations', body: { name: '二社目' } }),
  'organizations.activate': async ({ organization_id }) => ({
    path: `/organizations/${organization_id}/activate`,
  }),
  'invitations.create': async () => ({
    path: '/invitations',
    body: { email: 'new@example.com', role: 'member' },
  }),
  'invitations.resend': async ({ make }) => {
    const { id } = await make('/invitations', { email: 'again@example.com', role: 'member' });
    return { path: `/invitations/${id}/resend` };
  },
  'api_keys.create': async () => ({ path: '/api-keys', body: { name: '会計' } }),
  'crm.companies.create': async () => ({ path: '/crm/companies', body: { name: '新会社' } }),
  'crm.contacts.create': async () => ({ path: '/crm/contacts', body: { first_name: 'A', last_name: 'B' } }),
  'crm.pipelines.create': async () => ({ path: '/crm/pipelines', body: { name: '別' } }),
  'crm.deals.create': async () => ({ path: '/crm/deals', body: { name: '更新' } }),
  'crm.deals.move': async ({ deal, stage }) => ({
    path: `/crm/deals/${(await deal()).id}/move`,
    body: { stage_id: stage.proposal },
  }),
  'crm.activities.create': async () => ({ path: '/crm/activities', body: { type: 'note', content: '電話' } }),
  'crm.tags.create': async () => ({ path: '/crm/tags', body: { name: '重要' } }),
  'crm.tag_assignments.create': async ({ make, deal }) => ({
    path: '/crm/tag-assignments',
    body: {
      tag_id: (await make('/crm/tags', { name: '急' })).id,
      resource_type: 'deal',
      resource_id: (await deal()).id,
    },
  }),
  'crm.custom_fields.create': async () => ({
    path: '/crm/custom-fields',
    body: { kind: 'deal', key: 'rank', label: 'ランク', type: 'text' },
  }),
  'crm.companies.merge': ({ make }) => merge(make, '/crm/companies', { name: '同じ会社' }),
  'crm.contacts.merge': ({ make }) => merge(make, '/crm/contacts', { first_name: 'A', last_name: 'B' }),
  'mail.contacts.create': async () => ({ path: '/mail/contacts', body: { email: 'new@example.com' } }),
  'mail.campaigns.create': async () => ({ path: '/mail/campaigns', body: { name: '春のお知らせ' } }),
  'mail.segments.create': async () => ({
    path: '/mail/segments',
    body: { name: '全員', filter: { all: [] } },
  }),
  'mail.templates.create': async () => ({ path: '/mail/templates', body: { name: '月刊ニュース' } }),
  'mail.segments.preview': async () => ({ path: '/mail/segments/preview', body: { filter: { all: [] } } }),
  'mail.campaigns.duplicate': async ({ make }) => {
    const { id } = await make('/mail/campaigns', { name: '春のお知らせ' });
    return { path: `/mail/campaigns/${id}/duplicate` };
  },
  'mail.campaigns.preview': async ({ make }) => {
    const { id } = await make('/mail/campaigns', { name: '春のお知らせ' });
    return { path: `/mail/campaigns/${id}/preview` };
  },
  'mail.recipients.export': async ({ make }) => {
    const { id } = await make('/mail/campaigns', { name: '春のお知らせ' });
    return { path: `/mail/campaigns/${id}/recipients/export`, body: {} };
  },
  'mail.campaigns.schedule': async (sales) => ({
    path: `${await sendable(sales)}/schedule`,
    body: { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() },
  }),
  'mail.campaigns.unschedule': async (sales) => {
    const path = await sendable(sales);
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    assert.equal((await sales.post(`${path}/schedule`, { scheduled_at })).status, 200);
    return { path: `${path}/unschedule` };
  },
  'mail.campaigns.send': async (sales) => ({ path: `${await sendable(sales)}/send` }),
  'mail.campaigns.pause': async (sales) => ({ path: `${await underway(sales)}/pause` }),
  'mail.campaigns.resume': async (sales) => {
    const path = await underway(sales);
    assert.equal((await sales.post(`${path}/pause`)).status, 200);
    return { path: `${path}/resume` };
  },
  'mail.campaigns.cancel': async (sales) => ({ path: `${await underway(sales)}/cancel` }),
  'mail.campaigns.unknown': async ({ organization_id, make }) => {
    const { id } = await make('/mail/campaigns', { name: '春のお知らせ' });
    await app.database.withConnection(organization_id, ({ query }) =>
      query("UPDATE mail_campaigns SET status = 'sent' WHERE id = $1", [id]),
    );
    return { path: `/mail/campaigns/${id}/unknown`, body: { action: 'accept' } };
  },
  'mail.templates.preview': async ({ make }) => {
    const { id } = await make('/mail/templates', { name: '月刊' });
    return { path: `/mail/templates/${id}/preview` };
  },
  'mail.campaigns.test': async (sales) => ({
    path: `${await sendable(sales)}/test`,
    body: { to: ['hanako@example.co.jp'] },
  }),
  'mail.campaigns.revert_bounces': async ({ make }) => {
    const { id } = await make('/mail/campaigns', { name: '春のお知らせ' });
    return { path: `/mail/campaigns/${id}/bounces/revert` };
  },
  'mail.settings.create_hook_token': async () => ({ path: '/mail/settings/hook-token' }),
  'mail.settings.create_dkim_key': async () => ({
    path: '/mail/settings/dkim-keys',
    body: { domain: 'example.co.jp', selector: 's1' },
  }),
  'mail.lists.create': async () => ({ path: '/mail/lists', body: { name: 'お知らせ' } }),
  'mail.opt_ins.create': async ({ make }) => {
    const { id: list_id } = await make('/mail/lists', { name: '会員' });
    return { path: '/mail/opt-ins', body: { email: 'new@example.com', list_id } };
  },
  'mail.suppressions.create': async () => ({ path: '/mail/suppressions', body: { email: 'no@example.com' } }),
  'jobs.cancel': async (sales) => ({ path: `/jobs/${await queuedJob(sales)}/cancel` }),
};

/** A campaign that is being sent; answers its path. */
async function underway(sales: Sales): Promise<string> {
  const path = await sendable(sales);
  assert.equal((await sales.post(`${path}/send`)).status, 202);
  return path;
}

/** A draft that passes the checks. */
async function sendable(sales: Sales): Promise<string> {
  assert.equal((await sales.patch('/mail/settings', SENDER)).status, 200);
  const { id: list_id } = await sales.make('/mail/lists', { name: '会員' });
  await addContact(sales, { email: 'taro@example.jp', list_id });
  return newDraft(sales, { list_ids: [list_id] });
}

async function merge(make: Sales['make'], path: string, fields: Record<string, unknown>): Promise<Call> {
  const [survivor, loser] = [await make(path, fields), await make(path, fields)];
  return { path: `${path}/${survivor.id}/merge`, body: { loser_id: loser.id } };
}

async function queuedJob({ organization_id, user_id }: Sales): Promise<string> {
  return app.database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const actor = { type: 'user', id: user_id, user_id, role: 'owner', grants: ['*'] } as const;
      const work = new Work({
        connection,
        organization_id,
        actor,
        now: new Date(),
        request_id: null,
        ip_address: null,
      });
      const job = createJob(work, { kind: 'crm.export', scope: 'crm:read', unit: 'rows' });
      await commit(work.finish());
      return job.id;
    }),
  );
}

describe('a call sent again with its key', () => {
  for (const endpoint of endpoints) {
    if (!takesIdempotencyKey(endpoint)) continue;
    const { id, scope, session } = endpoint;
    test(id, async () => {
      const call = calls[id];
      assert.ok(call, `${id} needs a call in this test`);
      const caller = session || scope === 'account' ? await owner() : await newSales(app);
      const { path, body, headers } = await call(caller);
      const send = () => caller.post(path, body ?? {}, { ...headers, 'Idempotency-Key': 'again' });
      const first = await send();
      assert.ok(first.status < 300, first.text);
      const location = first.headers.get('location');
      if (location !== null) assert.ok(isOfRecord(location), `${location} is the path of no record`);
      const facts = await factsSoFar();
      const second = await send();
      assert.equal(second.status, first.status, second.text);
      assert.equal(second.headers.get('idempotency-replayed'), 'true');
      assert.deepEqual(second.body, secretsOf(endpoint).reduce(withoutSecret, first.body));
      assert.deepEqual(await factsSoFar(), facts);
    });
  }
});

/** The members of its answer that no replay tells; a call that makes its secrets anew has none. */
function secretsOf(endpoint: (typeof endpoints)[number]): readonly string[] {
  if ('renew' in endpoint && endpoint.renew) return [];
  return 'secrets' in endpoint ? (endpoint.secrets ?? []) : [];
}

/** Whether a call has this path, in which an ID stands; a query aside. */
function isOfRecord(location: string): boolean {
  const [asked = ''] = location.split('?');
  return endpoints.some(({ path }) => {
    const parts = path
      .split('/')
      .map((part) => (part.startsWith(':') ? '([a-z]+_[0-9a-z]+|\\d{4}-\\d{2}-\\d{2})' : part));
    return path.includes('/:') && new RegExp(`^${parts.join('/')}$`).test(asked);
  });
}

/** What only a signed-in person may call: the owner of a new organization. */
async function owner(): Promise<Sales> {
  const person = await newOwner(app);
  const make: Sales['make'] = async (path, fields) =>
    Object.values((await person.post(path, fields)).body)[0];
  return { ...(await newSales(app)), ...person, make };
}

async function factsSoFar(): Promise<unknown> {
  return app.database.withConnection('*', ({ query }) =>
    query('SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM audit_logs) AS entries'),
  );
}
