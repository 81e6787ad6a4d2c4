import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp, type TestApp } from '../../support/app.ts';
import { newEmail, newMember, newOwner, withCookie } from '../../support/people.ts';
import { slackFake } from '../../support/slack.ts';

const slack = await slackFake();
const app = await startApp({ environment: { SLACK_URL: slack.url } });
const INVITE = '/attendance/members/invite-slack';

const settingsOf = async (client: { get: TestApp['anonymous']['get'] }) =>
  (await client.get('/attendance/settings')).body.settings;

async function connected() {
  const owner = await newOwner(app);
  const reply = await owner.patch('/attendance/settings', { slack: { bot_token: slack.token } });
  assert.equal(reply.status, 200, reply.text);
  return owner;
}

describe('the token of Slack', () => {
  test('200: is tried, kept and not told: not in answers, the audit log, or as it is in the database', async () => {
    const owner = await newOwner(app);
    assert.deepEqual((await settingsOf(owner)).slack, { connected: false, team: null, connected_at: null });
    const reply = await owner.patch('/attendance/settings', { slack: { bot_token: slack.token } });
    assert.equal(reply.status, 200, reply.text);
    const { slack: shown } = reply.body.settings;
    assert.deepEqual([shown.connected, shown.team], [true, 'Aoba Coffee']);
    assert.deepEqual((await settingsOf(owner)).slack, shown);
    const { items } = (await owner.get('/attendance/audit-logs?entity_type=settings')).body;
    assert.deepEqual(items[0].changes.slack[1], shown);
    for (const text of [reply.text, JSON.stringify(items)]) assert.ok(!text.includes(slack.token));
    const rows = await app.database.withConnection('*', ({ query }) =>
      query<{ sealed: Buffer }>('SELECT sealed FROM sealed_secrets WHERE organization_id = $1', [
        owner.organization_id,
      ]),
    );
    assert.deepEqual(
      rows.map(({ sealed }) => sealed.includes(slack.token)),
      [false],
    );
  });

  test('200: null disconnects, and leaves nothing of it', async () => {
    const owner = await connected();
    const reply = await owner.patch('/attendance/settings', { slack: { bot_token: null } });
    assert.deepEqual(reply.body.settings.slack, { connected: false, team: null, connected_at: null });
    const left = await app.database.withConnection('*', ({ query }) =>
      query('SELECT 1 FROM sealed_secrets WHERE organization_id = $1', [owner.organization_id]),
    );
    assert.deepEqual(left, []);
  });

  test('422: one that Slack refuses is a mistake of the caller, and changes nothing', async () => {
    const owner = await connected();
    const reply = await owner.patch('/attendance/settings', {
      max_session_hours: 30,
      slack: { bot_token: 'xoxb-of-nobody' },
    });
    assert.equal(reply.status, 422, reply.text);
    const [{ path, code, message }] = reply.body.errors;
    assert.deepEqual([path, code], ['/slack/bot_token', 'refused_by_slack']);
    assert.match(message, /^slack\.bot_token .*invalid_auth/);
    assert.equal((await settingsOf(owner)).max_session_hours, 24);
  });

  test('200: while Slack cannot be asked it is kept without the name of its workspace', async () => {
    slack.verdict = () => ({ status: 503, body: {} });
    const owner = await newOwner(app);
    const reply = await owner.patch('/attendance/settings', { slack: { bot_token: slack.token } });
    slack.verdict = () => undefined;
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([reply.body.settings.slack.connected, reply.body.settings.slack.team], [true, null]);
  });

  test('is not connected any more where the key is another one, and is again with the key before', async () => {
    const owner = await connected();
    const turned = await startApp({
      database: { database: app.database, url: app.database_url, drop: async () => {} },
      environment: { SLACK_URL: slack.url, SECRETS_KEY: 'another key, which is long enough' },
    });
    const unread = await settingsOf(withCookie(turned, owner.cookie));
    assert.deepEqual(unread.slack, { connected: false, team: null, connected_at: null });
    const both = await startApp({
      database: { database: app.database, url: app.database_url, drop: async () => {} },
      environment: {
        SLACK_URL: slack.url,
        SECRETS_KEY: 'another key, which is long enough',
        PREVIOUS_SECRETS_KEY: app.context.settings.authSecret,
      },
    });
    assert.equal((await settingsOf(withCookie(both, owner.cookie))).slack.connected, true);
  });
});

describe('an invitation by Slack', () => {
  test('202: is one of the platform, and the job sends it', async () => {
    const owner = await connected();
    const email = newEmail();
    const { status, body, text } = await owner.post(INVITE, {
      emails: [email.toUpperCase()],
      slack_user_ids: ['U0000001'],
      role: 'manager',
    });
    assert.equal(status, 202, text);
    const told = body.invitations.map((each: Record<string, unknown>) => [
      each['email'],
      each['slack_user_id'],
      each['delivery_status'],
      each['status'],
      each['role'],
    ]);
    assert.deepEqual(told, [
      [email, null, 'queued', 'pending', 'manager'],
      [null, 'U0000001', 'queued', 'pending', 'manager'],
    ]);
    const { job } = body;
    assert.deepEqual(
      [job.kind, job.progress],
      ['attendance.members.invite_slack', { done: 0, total: 2, unit: 'invitations' }],
    );
    const { items } = (await owner.get('/invitations?sort=created_at:asc')).body;
    assert.deepEqual(items, body.invitations);
    const early = await owner.post(`/invitations/${items[1].id}/resend`);
    assert.deepEqual([early.status, early.body.code], [409, 'invalid_transition']);
  });

  test('409: while Slack is not connected', async () => {
    const owner = await newOwner(app);
    const reply = await owner.post(INVITE, { emails: [newEmail()], role: 'member' });
    assert.deepEqual([reply.status, reply.body.code], [409, 'slack_not_connected']);
  });

  test("403: of managers, members and keys, and for a role that is not below one's own", async () => {
    const owner = await connected();
    const input = { emails: [newEmail()], role: 'member' };
    for (const role of ['manager', 'member'] as const) {
      const reply = await (await newMember(app, owner, role)).post(INVITE, input);
      assert.deepEqual([reply.status, reply.body.code], [403, 'role_required'], role);
    }
    const admin = await newMember(app, owner, 'admin');
    const reply = await admin.post(INVITE, { ...input, role: 'admin' });
    assert.deepEqual([reply.status, reply.body.code], [403, 'insufficient_scope']);
    const key = await app.actor({ organization_id: owner.organization_id, role: 'owner' });
    const by_key = await key.post(INVITE, input);
    assert.deepEqual([by_key.status, by_key.body.code], [403, 'session_required']);
  });

  test('409: an open invitation is named by its place, and nobody else is invited', async () => {
    const owner = await connected();
    const email = newEmail();
    await owner.post('/invitations', { email, role: 'member' });
    const first = await owner.post(INVITE, { emails: [newEmail(), email], role: 'member' });
    assert.deepEqual(
      [first.status, first.body.code, first.body.errors[0].path],
      [409, 'already_exists', '/emails/1'],
    );
    const ids = { slack_user_ids: ['U0000002'], role: 'member' };
    assert.equal((await owner.post(INVITE, ids)).status, 202);
    const second = await owner.post(INVITE, ids);
    assert.deepEqual([second.status, second.body.errors[0].path], [409, '/slack_user_ids/0']);
    assert.equal((await owner.get('/invitations')).body.total, 2);
  });

  test('422: nobody, more than 100, somebody twice, a department of nobody', async () => {
    const owner = await connected();
    const many = Array.from({ length: 60 }, (_, index) => `U00000${100 + index}`);
    const people = many.map((id) => `${id.toLowerCase()}@example.com`);
    const refused = async (body: object) => {
      const reply = await owner.post(INVITE, { role: 'member', ...body });
      assert.equal(reply.status, 422, reply.text);
      const fault = reply.body.errors?.[0];
      return [fault?.path, fault?.code];
    };
    assert.deepEqual(await refused({}), ['/emails', 'required']);
    assert.deepEqual(await refused({ emails: people, slack_user_ids: many }), ['/emails', 'too_many']);
    assert.deepEqual(await refused({ emails: ['a@example.com', 'A@example.com'] }), ['/emails', 'duplicate']);
    assert.deepEqual(await refused({ slack_user_ids: ['<@U1>'] }), ['/slack_user_ids/0', 'invalid_format']);
    const department_id = 'dept_01kaj2n5w5fq8b4m0g3v7x9rtc';
    const reply = await owner.post(INVITE, { emails: ['a@example.com'], role: 'member', department_id });
    assert.deepEqual(
      [reply.status, reply.body.code, reply.body.errors[0].path],
      [422, 'unknown_reference', '/department_id'],
    );
  });
});
