import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { newId } from '../../shared/kernel/id.ts';
import { mailboxFolder, mailboxIds } from '../../shared/platform/mailer/mailbox.ts';
import { patientClientOf } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { cookieOf, newEmail, PASSWORD } from '../support/people.ts';
import { cleanUp, newFolder, run, until } from './service.ts';

const folder = newFolder();
const mailbox = mailboxFolder(folder);
const umask = process.umask(0);
after(async () => {
  process.umask(umask);
  await cleanUp(folder);
});

/** Programs and fonts that a worker unpacked: nothing secret, but nobody else's to change. */
const PROGRAMS = /^chromium(\/(chromium|fonts)-[^/]+(\/[^/]+)?)?$/;

/** Every path that another account can reach, with its mode. What stands in a closed folder is closed. */
function reachable(path: string): [string, number][] {
  const mode = statSync(path).mode & 0o777;
  const inside = statSync(path).isDirectory() && (mode & 0o077) !== 0 ? readdirSync(path) : [];
  return [[relative(folder, path), mode], ...inside.flatMap((name) => reachable(join(path, name)))];
}

test('whatever the umask, other accounts of the machine read and change nothing below DATA_DIR', async () => {
  mkdirSync(mailbox, { recursive: true, mode: 0o755 });
  const earlier = join(mailbox, `${newId('mail', new Date())}.eml`);
  writeFileSync(earlier, 'Subject: reset', { mode: 0o644 });
  const port = await freePort();
  const environment = { DATA_DIR: folder, PORT: String(port), RATE_LIMIT_PER_MINUTE: '0' };
  const service = run('start.ts', environment, ['--no-demo']);
  await service.up();
  await leaveTraces(`http://localhost:${port}`);
  await until(
    async () => (await mailboxIds(mailbox)).length === 2,
    () => service.logs(),
  );
  const open = reachable(folder).filter(([path, mode]) => {
    if (path === '' || PROGRAMS.test(path)) return (mode & 0o022) !== 0 && path !== '';
    return (mode & 0o077) !== 0;
  });
  assert.deepEqual(open, []);
  for (const path of [mailbox, join(folder, 'files')]) assert.equal(statSync(path).mode & 0o777, 0o700, path);
  assert.equal(statSync(earlier).mode & 0o777, 0o600);
});

/** A person with an organization, a file, and a mail with a link. */
async function leaveTraces(base_url: string): Promise<void> {
  const anonymous = patientClientOf(base_url, {});
  const email = newEmail();
  const signedUp = await anonymous.post('/auth/sign-up/email', { name: '花子', email, password: PASSWORD });
  assert.equal(signedUp.status, 200, signedUp.text);
  const person = patientClientOf(base_url, { Cookie: cookieOf(signedUp) });
  assert.equal((await person.post('/organizations', { name: '山田商事' })).status, 201);
  const asked = await person.post('/crm/contacts/export', {});
  assert.equal(asked.status, 202, asked.text);
  await until(
    async () => (await person.get(`/jobs/${asked.body.job.id}`)).body.job.status === 'succeeded',
    () => 'the export is not done',
  );
  assert.equal((await anonymous.post('/auth/request-password-reset', { email })).status, 200);
}
