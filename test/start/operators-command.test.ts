import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { linkInMail } from '../support/letters.ts';
import { newUser } from '../support/mail-states.ts';
import { smtpSink } from '../support/smtp-sink.ts';

const app = await startApp({ environment: { SIGN_UP: 'invited' } });
const folder = mkdtempSync(join(tmpdir(), 'operators-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const root = resolve(import.meta.dirname, '../..');
const PASSWORD = '静かで長い合言葉です';

type Ran = { code: number; out: string; error: string };

/** Runs the command with the settings of the app. */
function run(words: string[], more: Record<string, string> = {}): Promise<Ran> {
  const env = {
    PATH: process.env.PATH,
    // Without it each run compiles every module again: a third of its work.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATA_DIR: folder,
    DATABASE_URL: app.database_url,
    BASE_URL: app.base_url,
    ...more,
  };
  return new Promise((done) => {
    const program = ['start/operators-command.ts', ...words];
    execFile(process.execPath, program, { cwd: root, env }, (error, out, text) => {
      done({ code: Number(error?.code ?? 0), out, error: text });
    });
  });
}

function createAdmin(email: string, organization = '山田商事株式会社'): Promise<Ran> {
  return run(['create-admin', '--email', email, '--name', '山田 花子', '--organization', organization]);
}

function tokenIn(text: string): string {
  const [, token = ''] = /\/reset-password\/([0-9a-f]{64})$/m.exec(text) ?? [];
  assert(token, text);
  return token;
}

const auth = (path: string, body: unknown) => app.anonymous.post(`/auth/${path}`, body);
const signIn = (email: string, password: string) => auth('sign-in/email', { email, password });

function rowsOf(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  return app.database.withConnection('*', ({ query }) => query(text, values));
}

describe('create-admin', () => {
  test('lets the first person in where SIGN_UP is invited: the link sets the password, once', async () => {
    const email = 'Hanako@example.jp';
    const { code, out, error } = await createAdmin(email);
    assert.equal(code, 0, error);
    assert.match(out, /^hanako@example\.jp is the owner of 山田商事株式会社 \(org_\w+\)\.\n/);
    const body = { token: tokenIn(out), newPassword: PASSWORD };
    assert.equal((await auth('reset-password', body)).status, 200);
    assert.equal((await auth('reset-password', body)).status, 410);
    assert.equal((await signIn(email, PASSWORD)).status, 200);
    const [organization_id] = /org_\w+/.exec(out) ?? [];
    const logged = await rowsOf(
      `SELECT entity_type, actor_type, actor_id FROM audit_logs WHERE organization_id = $1 AND domain = 'platform'
        ORDER BY entity_type`,
      [organization_id],
    );
    const operator = { actor_type: 'system', actor_id: 'operator' };
    for (const entity_type of ['member', 'organization']) {
      assert.deepEqual(
        logged.filter((each) => each['entity_type'] === entity_type && each['actor_type'] === 'system'),
        [{ entity_type, ...operator }],
      );
    }
  });

  test('makes an account once, also when two operators ask at the same time', async () => {
    const email = 'twice@example.jp';
    const both = await Promise.all([createAdmin(email, '甲株式会社'), createAdmin(email, '乙株式会社')]);
    assert.deepEqual(both.map(({ code }) => code).sort(), [0, 1]);
    assert.match(both.map(({ error }) => error).join(''), /^There is an account .*\n$/);
    const made = await rowsOf('SELECT 1 FROM organizations WHERE name IN ($1, $2)', [
      '甲株式会社',
      '乙株式会社',
    ]);
    assert.equal(made.length, 1);
  });

  test('says which option is missing or wrong', async () => {
    const { code, error } = await run(['create-admin', '--email', 'hanako', '--name', 'x']);
    assert.deepEqual([code, error], [1, '--email must be an e-mail address.\n']);
    const missing = await run(['create-admin', '--email', 'new@example.jp', '--name', 'x']);
    assert.deepEqual([missing.code, missing.error], [1, '--organization is missing.\n']);
  });
});

describe('reset-password', () => {
  test('prints a link that ends the sessions and sets a new password', async () => {
    const email = 'lost@example.jp';
    const made = await createAdmin(email);
    await auth('reset-password', { token: tokenIn(made.out), newPassword: PASSWORD });
    const { code, out, error } = await run(['reset-password', '--email', email]);
    assert.equal(code, 0, error);
    const newPassword = `${PASSWORD}、新しい`;
    assert.equal((await auth('reset-password', { token: tokenIn(out), newPassword })).status, 200);
    assert.equal((await signIn(email, PASSWORD)).status, 401);
    assert.equal((await signIn(email, newPassword)).status, 200);
  });

  test('with --mail prints no link, and asks for the mail', async () => {
    const email = 'mailed@example.jp';
    await createAdmin(email);
    const { code, out } = await run(['reset-password', '--email', email, '--mail']);
    assert.equal(code, 0);
    assert.doesNotMatch(out, /reset-password\//);
    const mails = await rowsOf("SELECT status FROM mails WHERE purpose = 'password_reset'", []);
    assert.deepEqual(mails, [{ status: 'queued' }]);
  });

  test('refuses an address without an account', async () => {
    const { code, error } = await run(['reset-password', '--email', 'nobody@example.jp']);
    assert.deepEqual([code, error], [1, 'There is no account of nobody@example.jp.\n']);
  });
});

describe('list-organizations', () => {
  test('lists them in windows, each with its members', async () => {
    await createAdmin('listed@example.jp', '最後の株式会社');
    const whole = (await run(['list-organizations', '--limit', '1000'])).out.trim().split('\n');
    assert.match(whole.at(-1) ?? '', /^org_\w+\t\d{4}-\d\d-\d\d\t1\t\S+\t最後の株式会社$/);
    const first = (await run(['list-organizations', '--limit', '1'])).out.trim().split('\n');
    assert.equal(first[0], whole[0]);
    const [id] = (first[0] ?? '').split('\t');
    assert.equal(first[1], `There may be more: --after ${id}`);
    const next = await run(['list-organizations', '--after', id ?? '', '--limit', '1']);
    assert.equal(next.out.split('\n')[0], whole[1]);
    const { error } = await run(['list-organizations', '--limit', '5000']);
    assert.equal(error, '--limit must be a whole number from 1 to 1000.\n');
  });
});

describe('turn-link-key', () => {
  const purpose = 'email_verification';
  const verify = (token: string) => app.anonymous.get(`/auth/verify-email?token=${token}`);

  async function verificationLink(name: string): Promise<string> {
    const user_id = await newUser(app.database, name);
    await auth('send-verification-email', { email: `${name}@example.com` });
    return linkInMail(app, purpose, user_id);
  }

  test('keeps the links that were sent, and ends them where that is asked for', async () => {
    const [first, second] = [await verificationLink('turned-1'), await verificationLink('turned-2')];
    const turned = await run(['turn-link-key', '--purpose', purpose]);
    assert.equal(turned.code, 0, turned.error);
    assert.match(turned.out, /with key 2 from now on/);
    assert.equal((await verify(first)).status, 200);
    const ended = await run(['turn-link-key', '--purpose', purpose, '--end-links']);
    assert.match(ended.out, /with key 3 from now on\.\nThose of earlier keys have ended/);
    assert.equal((await verify(second)).status, 410);
    assert.equal((await verify(await verificationLink('turned-3'))).status, 200);
  });

  test('names the purposes that have keys where it knows none of that name', async () => {
    const { code, error } = await run(['turn-link-key', '--purpose', 'invitations']);
    assert.equal(code, 1);
    assert.match(error, /The purpose invitations has no key\. Purposes with keys: email_verification\./);
  });
});

describe('test-mail', () => {
  const words = ['test-mail', '--to', 'operator@example.jp'];

  test('hands a mail to the server and prints its answer', async () => {
    const sink = await smtpSink();
    const mail = { SMTP_URL: sink.url, MAIL_FROM: 'Billing <billing@example.jp>' };
    const { code, out, error } = await run(words, mail);
    assert.equal(code, 0, error);
    assert.match(out, /has taken the mail for operator@example\.jp: 250 OK: taken\n/);
    assert.deepEqual(
      sink.taken.map(({ to, subject }) => [to, subject]),
      [['operator@example.jp', 'Test mail']],
    );
    sink.verdict = () => ({ kind: 'refuse', code: 550, words: 'relay denied' });
    const refused = await run(words, mail);
    assert.equal(refused.code, 1);
    assert.match(refused.error, /^The mail server answered 550 to RCPT TO.*relay denied.*\n$/);
    sink.verdict = () => ({ kind: 'hang_up' });
    assert.equal((await run(words, mail)).code, 1);
  });

  test('keeps it in the local mailbox where no server is set, and needs no database', async () => {
    const { code, out } = await run(words, { DATABASE_URL: '' });
    assert.equal(code, 0);
    assert.match(out, /\/ops\/mailbox/);
    assert.equal(readdirSync(join(folder, 'mailbox')).length, 1);
  });
});

describe('npm run operators', () => {
  test('says what there is, and refuses the rest in a sentence', async () => {
    assert.match((await run([])).out, /create-admin[\s\S]*reset-password[\s\S]*test-mail/);
    const known =
      'create-admin, reset-password, list-organizations, test-mail, turn-link-key, turn-secrets-key, verify-files';
    assert.deepEqual(await run(['burn']), {
      code: 1,
      out: '',
      error: `burn is unknown: there are ${known}.\n`,
    });
    const lost = await run(['list-organizations'], { DATABASE_URL: '' });
    assert.equal(lost.error, 'DATABASE_URL is required where no npm start runs.\n');
    const away = await run(['list-organizations'], { DATABASE_URL: 'postgres://u:secret@127.0.0.1:9/x' });
    assert.equal(away.code, 1);
    assert.match(away.error, /^The database of DATABASE_URL does not answer: .*\n$/);
    assert.doesNotMatch(away.error, /secret/);
  });
});

describe('verify-files', () => {
  test('names the files that are missing or changed, and ends with 1', async () => {
    const { storage } = app.context;
    const content = Buffer.from('a,b\n');
    const keys = ['whole', 'changed', 'missing'].map((name) => `org_verified/uploads/${name}`);
    for (const key of keys.slice(0, 2)) await storage.write(key, Readable.from([content]), { limit: 10 });
    const sha256 = hash('sha256', content);
    for (const key of keys) {
      const expected = key.endsWith('changed') ? hash('sha256', 'a,c\n') : sha256;
      await rowsOf(
        `INSERT INTO files (organization_id, storage_key, file_name, declared_type, content_type, size, sha256, scan, created_at)
         VALUES ('org_verified', $1, 'list.csv', 'text/csv', 'text/plain', 4, $2, 'off', now())`,
        [key, expected],
      );
    }
    const own = { DATA_DIR: app.context.settings.dataDir };
    const found = await run(['verify-files'], own);
    assert.equal(found.code, 1, found.out);
    assert.equal(
      found.out,
      `changed\t${keys[1]}\nmissing\t${keys[2]}\n3 files were read; 2 are missing or changed.\n`,
    );
    await rowsOf('DELETE FROM files WHERE storage_key = ANY ($1)', [keys.slice(1)]);
    const whole = await run(['verify-files'], own);
    assert.deepEqual([whole.code, whole.out], [0, '1 files were read; 0 are missing or changed.\n']);
  });

  test('names a file that cannot be read with the reason, and reads the others', async () => {
    const { dataDir } = app.context.settings;
    const kept = 'org_verified/uploads/a_folder';
    // The system opens a folder, and gives nothing of it.
    mkdirSync(join(dataDir, 'files', kept), { recursive: true });
    await rowsOf(
      `INSERT INTO files (organization_id, storage_key, file_name, declared_type, content_type, size, sha256, scan, created_at)
       VALUES ('org_verified', $1, 'list.csv', 'text/csv', 'text/plain', 4, '', 'off', now())`,
      [kept],
    );
    const { code, out, error } = await run(['verify-files'], { DATA_DIR: dataDir });
    assert.equal(
      out,
      `unreadable\t${kept}\tillegal operation on a directory (EISDIR)\n1 files were read; 0 are missing or changed.\n1 could not be read.\n`,
    );
    assert.deepEqual(
      [code, error],
      [1, '1 files could not be read: mend what is said of each, then verify again.\n'],
    );
  });

  test('stops where there is no folder of files, rather than call each one missing', async () => {
    const dataDir = join(folder, 'elsewhere');
    mkdirSync(dataDir);
    const { code, out, error } = await run(['verify-files'], { DATA_DIR: dataDir });
    assert.deepEqual([code, out], [1, '']);
    assert.match(
      error,
      /^The folder of the files .*elsewhere\/files does not exist: DATA_DIR is probably not that of the service\.\n$/,
    );
    assert.deepEqual(readdirSync(dataDir), []);
  });
});
