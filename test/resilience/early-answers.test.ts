import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { uploading } from '../support/uploads.ts';

/** A sender gets an answer that is given before its body has arrived, and not a broken connection instead. */
const app = await startApp();
const files = await startApp({ endpoints: [uploading()] });
const MiB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'early-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const large = join(folder, 'large');
const block = Buffer.alloc(MiB, 'x');
writeFileSync(large, Buffer.concat(Array(12).fill(block)));

type Sent = { url: string; headers: Record<string, string>; mebibytes: number };
/** The code is null in the page of an error. */
type Got = { status: number; code: string | null };
type Sender = (sent: Sent) => Promise<Got>;

async function byNode({ url, headers, mebibytes }: Sent, more: Record<string, string>): Promise<Got> {
  const sending = request(url, { method: 'POST', headers: { ...headers, ...more }, agent: false });
  const answered = once(sending, 'response');
  // What breaks after the answer has come is of no account.
  sending.on('error', () => undefined);
  let isAnswered = false;
  const send = async () => {
    if (more.Expect) await Promise.race([once(sending, 'continue'), answered]);
    for (let sent = 0; sent < mebibytes && !isAnswered && !sending.destroyed; sent += 1) {
      if (!sending.write(block)) await Promise.race([once(sending, 'drain'), answered]);
    }
    sending.end();
  };
  send().catch(() => undefined);
  const [response] = await answered;
  isAnswered = true;
  return { status: response.statusCode, code: codeOf(await text(response)) };
}

async function byFetch({ url, headers, mebibytes }: Sent): Promise<Got> {
  const body = Buffer.concat(Array(mebibytes).fill(block));
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, code: codeOf(await response.text()) };
}

/** Sends everything before it reads anything, as simple clients do. */
async function byPatience({ url, headers, mebibytes }: Sent): Promise<Got> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${hostname}`,
    `Content-Length: ${mebibytes * MiB}`,
    ...lines,
  ];
  const broken = once(socket, 'error').then(([error]) => Promise.reject(error));
  broken.catch(() => undefined);
  const written = (data: string | Buffer) =>
    Promise.race([new Promise<void>((resolve) => socket.write(data, () => resolve())), broken]);
  await written(`${head.join('\r\n')}\r\n\r\n`);
  for (let sent = 0; sent < mebibytes; sent += 1) await written(block);
  let heard = '';
  for await (const chunk of socket) {
    heard += chunk;
    if (/"request_id":"\w+"\}|<\/html>/.test(heard)) break;
  }
  const [answer = '', body = ''] = heard.split('\r\n\r\n');
  return { status: Number(answer.split(' ')[1]), code: codeOf(body) };
}

async function byCurl({ url, headers }: Sent, words: string[]): Promise<Got> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const format = '\n%{http_code}';
  const curl = spawn('curl', ['-sS', '-w', format, ...lines, ...words, '--data-binary', `@${large}`, url]);
  const [said, complaint, [exit]] = await Promise.all([
    text(curl.stdout),
    text(curl.stderr),
    once(curl, 'close') as Promise<[number]>,
  ]);
  assert.equal(exit, 0, complaint);
  const end = said.lastIndexOf('\n');
  return { status: Number(said.slice(end)), code: codeOf(said.slice(0, end)) };
}

function codeOf(body: string): string | null {
  return body.startsWith('{') ? JSON.parse(body).code : null;
}

const senders: Record<string, Sender> = {
  'node:http, with a length': (sent) => byNode(sent, { 'Content-Length': `${sent.mebibytes * MiB}` }),
  'node:http, in chunks': (sent) => byNode(sent, {}),
  'node:http, in chunks, when told to continue': (sent) => byNode(sent, { Expect: '100-continue' }),
  fetch: byFetch,
  'a client that reads when all is sent': byPatience,
  'curl, told to continue': (sent) => byCurl(sent, ['-H', 'Expect: 100-continue']),
  'curl, at once': (sent) => byCurl(sent, ['-H', 'Expect:']),
  'curl, at once, in chunks': (sent) => byCurl(sent, ['-H', 'Expect:', '-H', 'Transfer-Encoding: chunked']),
};

const form = { 'Content-Type': 'multipart/form-data; boundary=x' };
const json = { 'Content-Type': 'application/json' };
const { actor } = await app.actor();
const keeper = (await files.actor()).actor;

const cases: [string, Sent, Got][] = [
  [
    'too large a body',
    {
      url: `${app.base_url}/api/v1/crm/contacts`,
      headers: { ...json, Authorization: `Bearer ${actor.secret}` },
      mebibytes: 12,
    },
    { status: 413, code: 'body_too_large' },
  ],
  [
    'too large a body of a stranger',
    { url: `${app.base_url}/api/v1/auth/sign-in/email`, headers: json, mebibytes: 12 },
    { status: 413, code: 'body_too_large' },
  ],
  [
    'too large a form of a page',
    {
      url: `${app.base_url}/sign-in`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      mebibytes: 12,
    },
    { status: 413, code: null },
  ],
  [
    'a body without credentials',
    { url: `${app.base_url}/api/v1/crm/contacts/import`, headers: form, mebibytes: 12 },
    { status: 401, code: 'missing_credentials' },
  ],
  [
    'too large a file',
    {
      url: `${files.base_url}/api/v1/mail/files`,
      headers: { ...form, Authorization: `Bearer ${keeper.secret}` },
      mebibytes: 12,
    },
    { status: 413, code: 'body_too_large' },
  ],
];

for (const [what, sent, expected] of cases) {
  describe(`${what}: ${expected.status} reaches`, () => {
    for (const [name, send] of Object.entries(senders)) {
      test(name, async () => {
        for (let times = 0; times < 3; times += 1) assert.deepEqual(await send(sent), expected);
      });
    }
  });
}
