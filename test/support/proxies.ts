import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Debian keeps nginx where the accounts of people do not look. */
export const PATH = `${process.env.PATH}:/usr/sbin`;

const deploy = resolve(import.meta.dirname, '../../deploy');

/** A proxy of `deploy/` as it stands there, but for its names, ports and certificate. It ends with the test file. */
export type Proxy = { name: string; port: number };

/** The address from which a client may see the numbers, and one from which it may not. */
export const INSIDE = '127.0.0.3';
export const OUTSIDE = '127.0.0.2';

/** Starts the program of `name`, which must be on the PATH, before the APIs of these ports. */
export async function startProxy(name: 'nginx' | 'caddy', apis: readonly number[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const port = await freePort();
  const { program, words, env } =
    name === 'nginx' ? await nginx(folder, port, apis) : caddy(folder, port, apis);
  const child = spawn(program, words, {
    env: { ...process.env, ...env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => said.push(String(chunk)));
  const ended = once(child, 'exit');
  after(async () => {
    // Killed, nginx would leave its worker behind; Caddy would wait for what is under way.
    child.kill(name === 'nginx' ? 'SIGTERM' : 'SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const proxy = { name, port };
  await until(`${name} answers`, () => {
    if (child.exitCode !== null) throw new Error(`${name} has ended: ${said.join('')}`);
    return ask(proxy, { path: '/healthz' }).then(
      ({ status }) => status === 200,
      () => false,
    );
  });
  return proxy;
}

type Command = { program: string; words: string[]; env: Record<string, string> };

async function nginx(folder: string, port: number, apis: readonly number[]): Promise<Command> {
  const [certificate, key] = ['certificate.pem', 'key.pem'].map((file) => join(folder, file)) as [
    string,
    string,
  ];
  spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  const plain = await freePort();
  const site = readFileSync(join(deploy, 'nginx/business-operations.conf'), 'utf8')
    .replace(/^ +listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
    .replaceAll('api.example.jp;', 'localhost;')
    .replace(/^( +ssl_certificate) .*$/m, `$1 ${certificate};`)
    .replace(/^( +ssl_certificate_key) .*$/m, `$1 ${key};`)
    .replace('allow 127.0.0.1;', `allow ${INSIDE};`)
    .replace('127.0.0.1:3000', `127.0.0.1:${apis[0]}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${apis[1]}`);
  writeFileSync(join(folder, 'site.conf'), site);
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  const lines = [
    ...(userInfo().uid === 0 ? ['user root;'] : []),
    'daemon off;',
    `pid ${join(folder, 'pid')};`,
    'error_log stderr;',
    'events {}',
    `http { access_log off; ${kept.join(' ')} include ${join(folder, 'site.conf')}; }`,
  ];
  writeFileSync(join(folder, 'nginx.conf'), lines.join('\n'));
  return { program: 'nginx', words: ['-c', join(folder, 'nginx.conf')], env: {} };
}

function caddy(folder: string, port: number, apis: readonly number[]): Command {
  // Caddy would put its own root certificate among those that the machine trusts, and listen on port 80.
  const own = 'grace_period 35s\n\tskip_install_trust\n\tadmin off\n\tauto_https disable_redirects';
  const file = readFileSync(join(deploy, 'caddy/Caddyfile'), 'utf8').replace('grace_period 35s', own);
  writeFileSync(join(folder, 'Caddyfile'), file);
  mkdirSync(join(folder, 'home'));
  const env = {
    SITE: `localhost:${port}`,
    INSIDE: `${INSIDE}/32`,
    UPSTREAMS: apis.map((each) => `127.0.0.1:${each}`).join(' '),
    HOME: join(folder, 'home'),
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  return { program: 'caddy', words: ['run', '--config', join(folder, 'Caddyfile')], env };
}

export type Asked = {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The address that the client has. */
  from?: string;
};

/** Sends a request over a connection of its own and answers when the header is there. */
export async function open(
  { port }: Proxy,
  { path, method = 'GET', headers = {}, body, from = OUTSIDE }: Asked,
): Promise<IncomingMessage> {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const sent = request({
    host: '127.0.0.1',
    servername: 'localhost',
    port,
    path,
    method,
    localAddress: from,
    agent: false,
    headers: { Host: `localhost:${port}`, ...headers, ...length },
    rejectUnauthorized: false,
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(body);
  return (await answered)[0];
}

/** Sends a request and reads its whole answer. */
export async function ask(proxy: Proxy, asked: Asked): Promise<{ status: number; text: string }> {
  const response = await open(proxy, asked);
  return { status: response.statusCode ?? 0, text: await text(response) };
}
