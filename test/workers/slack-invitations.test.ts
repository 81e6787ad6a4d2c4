import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { newEmail, newOwner, type Person } from '../support/people.ts';
import { has_redis, startRedis } from '../support/redis.ts';
import { type SlackFake, slackFake } from '../support/slack.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

/** No other queue: each of them has connections of its own. */
const EMAIL = ['--queues', 'email'];

type Invited = { id: string; status: string; delivery_status: string; email: string | null };

const slack: SlackFake = await slackFake();
const redis = has_redis ? await startRedis() : null;
after(() => redis?.stop());
const apps = {
  postgres: await startApp({ environment: { SLACK_URL: slack.url } }),
  redis: await startApp({ environment: { SLACK_URL: slack.url } }),
};

for (const [engine, app] of Object.entries(apps)) {
  const skip = engine === 'redis' && !redis ? 'redis-server is not on the PATH' : false;
  describe(`queues on ${engine}`, { skip }, () =>
    invitationsBy(app, engine === 'redis' ? redis?.url : undefined),
  );
}

/** The app, whose database is its own, and what serves its queues. */
function invitationsBy(app: TestApp, redis_url: string | undefined): void {
  const workers = () =>
    startWorkers(
      {
        DATABASE_URL: app.database_url,
        REDIS_URL: redis_url,
        SLACK_URL: slack.url,
        DATA_DIR: app.context.settings.dataDir,
      },
      EMAIL,
    );

  async function connected(): Promise<Person & { organization_id: string }> {
    slack.verdict = () => undefined;
    slack.calls.length = 0;
    slack.messages.length = 0;
    const owner = await newOwner(app);
    await owner.patch('/attendance/settings', { slack: { bot_token: slack.token } });
    return owner;
  }

  async function invite(owner: Person, body: object): Promise<{ job: string; ids: string[] }> {
    const reply = await owner.post('/attendance/members/invite-slack', { role: 'member', ...body });
    assert.equal(reply.status, 202, reply.text);
    const { job, invitations } = reply.body;
    return { job: job.id, ids: invitations.map(({ id }: Invited) => id) };
  }

  const jobOf = async (owner: Person, id: string) => (await owner.get(`/jobs/${id}`)).body.job;

  const ended = (owner: Person, id: string) =>
    until('the job ends', async () => {
      const job = await jobOf(owner, id);
      return !['queued', 'running'].includes(job.status) && job;
    });

  /** By invitation, its status, how its message ended, and how many mails were asked for. */
  async function outcomes(owner: Person, ids: readonly string[]): Promise<[string, string, number][]> {
    const rows = await app.database.withConnection('*', ({ query }) =>
      query<{ id: string; count: number }>(
        `SELECT about ->> 'invitation_id' AS id, count(*)::int AS count FROM mails
          WHERE about ->> 'invitation_id' = ANY ($1) GROUP BY 1`,
        [ids],
      ),
    );
    const mails = new Map(rows.map(({ id, count }) => [id, count]));
    const replies = await Promise.all(ids.map((id) => owner.get(`/invitations/${id}`)));
    return replies.map(({ body: { invitation } }) => [
      invitation.status,
      invitation.delivery_status,
      mails.get(invitation.id) ?? 0,
    ]);
  }

  test('each gets one mail, and one message that names it without the link; who is not there is told so', async () => {
    const owner = await connected();
    const department = (await owner.post('/attendance/org/departments', { name: '販売部' })).body.department;
    const [known, unknown, by_id] = [newEmail(), newEmail(), newEmail()];
    slack.users = [
      { id: 'U01KNOWN', email: known },
      { id: 'U02BYID', email: by_id.toUpperCase() },
      { id: 'U03NOMAIL' },
      { id: 'U04GONE', email: newEmail(), deleted: true },
      { id: 'U05OWNER', email: owner.email },
    ];
    const { job, ids } = await invite(owner, {
      emails: [known, unknown, owner.email],
      slack_user_ids: ['U02BYID', 'U03NOMAIL', 'U04GONE', 'U05OWNER', 'U06NOBODY'],
      department_id: department.id,
    });
    const running = await workers();
    const { status, result, progress } = await ended(owner, job);
    assert.equal(await running.stop(), 0);
    assert.deepEqual(
      [status, result, progress.done],
      ['succeeded', { sent: 2, not_found: 4, already_member: 2 }, 8],
    );
    assert.deepEqual(await outcomes(owner, ids), [
      ['pending', 'sent', 1],
      ['pending', 'not_found', 1],
      ['revoked', 'already_member', 0],
      ['pending', 'sent', 1],
      ['revoked', 'not_found', 0],
      ['revoked', 'not_found', 0],
      ['revoked', 'already_member', 0],
      ['revoked', 'not_found', 0],
    ]);
    assert.deepEqual(slack.messages.map(({ user }) => user).sort(), ['U01KNOWN', 'U02BYID']);
    for (const { text } of slack.messages) assert.doesNotMatch(text, /invite\/|https?:/);
    const [to_known] = slack.messages.filter(({ user }) => user === 'U01KNOWN');
    assert.ok(to_known!.text.includes(known) && to_known!.text.includes('Test Trading'));
    const [member] = (await owner.get(`/attendance/members?email=${by_id}`)).body.items;
    assert.deepEqual(
      [member.status, member.slack_user_id, member.department_id],
      ['invited', 'U02BYID', department.id],
    );
    assert.ok(running.lines.every((line) => !JSON.stringify(line).match(/@example\.com|xoxb/)));
  });

  test('a worker that is killed once Slack has the message does not send it again: it has failed', async () => {
    const owner = await connected();
    const [first, second] = [newEmail(), newEmail()];
    slack.users = [
      { id: 'U11FIRST', email: first },
      { id: 'U12SECOND', email: second },
    ];
    const { job, ids } = await invite(owner, { emails: [first, second] });
    const posted = () => slack.calls.filter(({ method }) => method === 'chat.postMessage');
    slack.verdict = ({ method }) => (method === 'chat.postMessage' ? 'silence' : undefined);
    const killed = await workers();
    await until('Slack has a message', () => posted().length === 1);
    await killed.kill();
    slack.verdict = () => undefined;
    const other = await workers();
    assert.equal((await ended(owner, job)).status, 'succeeded');
    assert.equal(await other.stop(), 0);
    assert.deepEqual(await outcomes(owner, ids), [
      ['pending', 'failed', 1],
      ['pending', 'sent', 1],
    ]);
    assert.deepEqual(
      posted().map((call) => call.arguments['channel']),
      ['DU11FIRST', 'DU12SECOND'],
    );
  });

  test('Slack that asks to wait is asked again, for the person and for the message', async () => {
    const owner = await connected();
    const email = newEmail();
    slack.users = [{ id: 'U21BUSY', email }];
    const refused = new Set<string>();
    slack.verdict = ({ method }) => {
      if (method === 'conversations.open' || refused.has(method)) return undefined;
      refused.add(method);
      return { status: 429, headers: { 'Retry-After': '1' }, body: { ok: false, error: 'ratelimited' } };
    };
    const { job, ids } = await invite(owner, { emails: [email] });
    const running = await workers();
    assert.equal((await ended(owner, job)).status, 'succeeded');
    assert.equal(await running.stop(), 0);
    assert.deepEqual([...refused], ['users.lookupByEmail', 'chat.postMessage']);
    assert.deepEqual(await outcomes(owner, ids), [['pending', 'sent', 1]]);
    assert.equal(slack.messages.length, 1);
  });

  test('a token that Slack refuses by now ends the job; the mails go, and Slack counts as not connected', async () => {
    const owner = await connected();
    const email = newEmail();
    slack.verdict = () => ({ body: { ok: false, error: 'token_revoked' } });
    const { job, ids } = await invite(owner, { emails: [email], slack_user_ids: ['U31NOBODY'] });
    const running = await workers();
    const { status, error } = await ended(owner, job);
    assert.equal(await running.stop(), 0);
    assert.deepEqual([status, error.code], ['failed', 'slack_not_connected']);
    assert.deepEqual(await outcomes(owner, ids), [
      ['pending', 'failed', 1],
      ['revoked', 'failed', 0],
    ]);
    const again = await owner.post('/attendance/members/invite-slack', {
      emails: [newEmail()],
      role: 'member',
    });
    assert.deepEqual([again.status, again.body.code], [409, 'slack_not_connected']);
  });

  test('a job that is cancelled before it began invites nobody', async () => {
    const owner = await connected();
    const { job, ids } = await invite(owner, { emails: [newEmail()], slack_user_ids: ['U41NOBODY'] });
    assert.equal((await owner.post(`/jobs/${job}/cancel`)).status, 200);
    const running = await workers();
    await until('the invitations have ended', async () =>
      (await outcomes(owner, ids)).every(([status]) => status === 'revoked'),
    );
    assert.equal(await running.stop(), 0);
    assert.deepEqual(slack.messages, []);
  });
}
