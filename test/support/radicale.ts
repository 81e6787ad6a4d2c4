import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { hasCommand } from './commands.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Whether radicale is on the PATH; where it is not, tests with it are skipped and say so. */
export const has_radicale = hasCommand('radicale');

export type Radicale = {
  /** For CALENDAR_HOSTS. */
  host: string;
  url: string;
  username: string;
  password: string;
  /** Makes a calendar of the account; answers its address. */
  makeCalendar(name: string, properties?: string): Promise<string>;
  /** Puts a text into a calendar under a name that ends with .ics. Fails where it is not taken. */
  put(calendar: string, name: string, text: string): Promise<void>;
  read(calendar: string, name: string): Promise<string>;
  remove(calendar: string, name: string): Promise<void>;
  removeCalendar(calendar: string): Promise<void>;
};

const ACCOUNT = { username: 'hanako', password: 'a password: with a colon' };

/** A CalDAV server with one account. It ends with the test file. */
export async function startRadicale(): Promise<Radicale> {
  const folder = mkdtempSync(join(tmpdir(), 'radicale-'));
  const users = join(folder, 'users');
  writeFileSync(users, `${ACCOUNT.username}:${ACCOUNT.password}\n`);
  const host = `127.0.0.1:${await freePort()}`;
  const settings = {
    'server-hosts': host,
    'auth-type': 'htpasswd',
    'auth-htpasswd-filename': users,
    'auth-htpasswd-encryption': 'plain',
    // Each refusal of a password waits for so many seconds.
    'auth-delay': '0',
    'storage-filesystem-folder': join(folder, 'calendars'),
  };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn('radicale', ['--config', '', ...words], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  after(async () => {
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://${host}/`;
  await until('radicale answers', () => fetch(url, { redirect: 'manual' }).then(Boolean, () => false));

  const Authorization = `Basic ${Buffer.from(`${ACCOUNT.username}:${ACCOUNT.password}`).toString('base64')}`;
  async function ask(method: string, at: string, body?: string): Promise<string> {
    const headers = {
      Authorization,
      'Content-Type': method === 'PUT' ? 'text/calendar; charset=utf-8' : 'application/xml',
    };
    const answer = await fetch(at, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`radicale answered ${answer.status} to ${method}: ${text}`);
    return text;
  }

  return {
    host,
    url,
    ...ACCOUNT,
    makeCalendar: async (name, properties = '') => {
      const at = `${url}${ACCOUNT.username}/${name}/`;
      await ask(
        'MKCALENDAR',
        at,
        `<C:mkcalendar xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><set><prop>
           <displayname>${name}</displayname>${properties}</prop></set></C:mkcalendar>`,
      );
      return at;
    },
    put: async (calendar, name, text) => void (await ask('PUT', `${calendar}${name}`, text)),
    read: (calendar, name) => ask('GET', `${calendar}${name}`),
    remove: async (calendar, name) => void (await ask('DELETE', `${calendar}${name}`)),
    removeCalendar: async (calendar) => void (await ask('DELETE', calendar)),
  };
}
