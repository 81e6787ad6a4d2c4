import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi } from '../../support/api.ts';
import { startApp } from '../../support/app.ts';
import { clientOf, type Reply } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { cookieOf, newEmail, newOwner, PASSWORD, withCookie } from '../../support/people.ts';

const DAY = 24 * 60 * 60 * 1000;
const MAILING = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'service@example.com',
  REQUIRE_EMAIL_VERIFICATION: 'false',
};

const app = await startApp();

function count(replies: readonly Reply[], status: number): number {
  return replies.filter((reply) => reply.status === status).length;
}

describe('invitations of one address', () => {
  test('429 after five in 24 hours from all organizations together, also when sent again', async () => {
    let now = new Date();
    const timed = await startApp({ now: () => now });
    const [first, second] = [await newOwner(timed), await newOwner(timed)];
    const email = newEmail();
    const { invitation } = (await first.post('/invitations', { email, role: 'member' })).body;
    assert.equal((await second.post('/invitations', { email, role: 'member' })).status, 201);
    const resend = () => first.post(`/invitations/${invitation.id}/resend`);
    for (let round = 0; round < 3; round++) assert.equal((await resend()).status, 200);
    const refused = await resend();
    assert.equal(refused.status, 429, refused.text);
    assert.equal(refused.body.code, 'rate_limited');
    assert.match(refused.body.detail, /5 invitations in 24 hours; try again in \d+ s/);
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds > 86_000 && seconds <= 86_400, `${seconds}`);
    assert.equal((await first.post('/invitations', { email: newEmail(), role: 'member' })).status, 201);
    now = new Date(now.getTime() + DAY + 1000);
    assert.equal(
      (await (await signedIn(timed, first.email)).post(`/invitations/${invitation.id}/resend`)).status,
      200,
    );
  });

  test('429 for a sixth to any sub-address of the mailbox; other mailboxes go on', async () => {
    const owner = await newOwner(app);
    const [local, domain] = newEmail().split('@');
    const invite = (email: string) => owner.post('/invitations', { email, role: 'member' });
    assert.equal((await invite(`${local}@${domain}`)).status, 201);
    for (const tag of ['1', '2', 'a+b', 'B']) {
      assert.equal((await invite(`${local}+${tag}@${domain}`)).status, 201, tag);
    }
    assert.equal((await invite(`${local}+6@${domain}`)).status, 429);
    assert.equal((await invite(`${local}+6@mail.${domain}`)).status, 201);
    assert.equal((await invite(`other.${local}+6@${domain}`)).status, 201);
  });

  test('of twelve organizations at once exactly five are let through, over two processes', async () => {
    const ports = [await freePort(), await freePort()];
    const environment = { DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir };
    await Promise.all(ports.map((port) => startApi(port, environment)));
    const owners = await Promise.all(Array.from({ length: 12 }, () => newOwner(app)));
    const email = newEmail();
    const replies = await Promise.all(
      owners.map(({ cookie }, index) =>
        clientOf(`http://127.0.0.1:${ports[index % 2]}`, { Cookie: cookie }).post('/invitations', {
          email,
          role: 'member',
        }),
      ),
    );
    assert.equal(count(replies, 201), 5);
    assert.equal(count(replies, 429), 7);
  });
});

describe('recipients of an organization', () => {
  test('of fifty at once exactly as many as the hour allows, over two processes; refusals count nothing', async () => {
    const ports = [await freePort(), await freePort()];
    const environment = {
      DATABASE_URL: app.database_url,
      DATA_DIR: app.context.settings.dataDir,
      MAIL_RECIPIENTS_PER_HOUR: '20',
    };
    await Promise.all(ports.map((port) => startApi(port, environment)));
    const owner = await newOwner(app);
    const [here, there] = ports.map((port) => clientOf(`http://127.0.0.1:${port}`, { Cookie: owner.cookie }));
    const member = (await owner.get('/members')).body.items[0];
    // Refused by another rule: it counts nothing.
    assert.equal((await here!.post('/invitations', { email: member.email, role: 'member' })).status, 409);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? here! : there!).post('/invitations', { email: newEmail(), role: 'member' }),
      ),
    );
    assert.equal(count(replies, 201), 20);
    const refused = replies.filter(({ status }) => status === 429);
    assert.equal(refused.length, 30);
    assert.match(refused[0]!.body.detail, /20 recipients an hour/);
    assert.ok(Number(refused[0]!.headers.get('retry-after')) <= 3600);
    assert.equal(
      (await (await newOwner(app)).post('/invitations', { email: newEmail(), role: 'member' })).status,
      201,
    );
  });

  test('the hour begins with the first mail and is over after an hour; 0 is no limit', async () => {
    let now = new Date();
    const environment = { MAIL_RECIPIENTS_PER_HOUR: '2' };
    const timed = await startApp({ now: () => now, environment });
    const owner = await newOwner(timed);
    const invite = (client = owner) => client.post('/invitations', { email: newEmail(), role: 'member' });
    for (const status of [201, 201, 429, 429]) assert.equal((await invite()).status, status);
    now = new Date(now.getTime() + 3_600_001);
    for (const status of [201, 201, 429]) assert.equal((await invite()).status, status);
    timed.context.settings.mailRecipientsPerHour = 0;
    for (let round = 0; round < 5; round++) assert.equal((await invite()).status, 201);
  });

  test('429 beyond fifty on the first day, where strangers sign up and mails leave', async () => {
    let now = new Date();
    const open = await startApp({ now: () => now, environment: MAILING });
    const owner = await newOwner(open);
    const invite = () => owner.post('/invitations', { email: newEmail(), role: 'member' });
    const replies = await Promise.all(Array.from({ length: 55 }, invite));
    assert.equal(count(replies, 201), 50);
    assert.equal(count(replies, 429), 5);
    const refused = await invite();
    assert.match(refused.body.detail, /50 recipients in its first 24 hours/);
    now = new Date(now.getTime() + DAY + 1000);
    const later = await signedIn(open, owner.email);
    assert.equal((await later.post('/invitations', { email: newEmail(), role: 'member' })).status, 201);
  });

  test('no first day where people come by invitation alone', async () => {
    const database = { url: app.database_url, database: app.database, drop: async () => {} };
    const environment = { ...MAILING, SIGN_UP: 'invited' };
    const closed = await startApp({ environment, database });
    const owner = await newOwner(app);
    const client = clientOf(closed.base_url, { Cookie: owner.cookie });
    const invite = () => client.post('/invitations', { email: newEmail(), role: 'member' });
    const replies = await Promise.all(Array.from({ length: 52 }, invite));
    assert.equal(count(replies, 201), 52);
  });
});

/** A new session of somebody, after their first one has run out. */
async function signedIn(where: typeof app, email: string) {
  const reply = await where.anonymous.post('/auth/sign-in/email', { email, password: PASSWORD });
  assert.equal(reply.status, 200, reply.text);
  return withCookie(where, cookieOf(reply));
}
