import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { hasCommand } from './commands.ts';
import { isListening } from './dovecot.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Why tests with Postfix are skipped: its master runs as root alone. False where it is there, and where it has to be. */
export const no_postfix =
  !process.env.CI &&
  ((!hasCommand('postfix', '/usr/sbin') && 'postfix is not installed') ||
    (process.getuid?.() !== 0 && 'postfix runs as root alone'));

export type Postfix = { port: number };

/** What Postfix hands mails on to, and where its reports go. */
type Ways = {
  /** The server to which all mails go but those to the domain of reports. */
  next_port: number;
  /** The domain whose mails it puts into a Maildir that is owned by an account. */
  reports: { domain: string; maildir: string; uid: number; gid: number };
};

const DAEMONS = `
cleanup    unix  n - n - 0   cleanup
qmgr       unix  n - n 1 1   qmgr
rewrite    unix  - - n - -   trivial-rewrite
bounce     unix  - - n - 0   bounce
defer      unix  - - n - 0   bounce
trace      unix  - - n - 0   bounce
proxymap   unix  - - n - -   proxymap
smtp       unix  - - n - -   smtp
error      unix  - - n - -   error
retry      unix  - - n - -   error
virtual    unix  - n n - -   virtual
anvil      unix  - - n - 1   anvil
showq      unix  n - n - -   showq
postlog    unix-dgram n - n - 1 postlogd
`;

/**
 * A Postfix of its own that gives a mail one try, and reports what failed to its sender: also what was refused for now. It ends
 * with the test file.
 */
export async function startPostfix({ next_port, reports }: Ways): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), 'postfix-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  for (const name of ['conf', 'queue', 'data']) mkdirSync(join(folder, name));
  execFileSync('chown', ['postfix', join(folder, 'data')]);
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(folder, 'queue'),
    data_directory: join(folder, 'data'),
    maillog_file_prefixes: folder,
    maillog_file: join(folder, 'log'),
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'mx.example.jp',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    relayhost: `[127.0.0.1]:${next_port}`,
    smtp_host_lookup: 'native',
    alias_maps: '',
    alias_database: '',
    recipient_delimiter: '+',
    maximal_queue_lifetime: '0',
    bounce_queue_lifetime: '0',
    virtual_mailbox_domains: reports.domain,
    virtual_mailbox_base: join(reports.maildir, '..'),
    virtual_mailbox_maps: `static:${reports.maildir.split('/').at(-1)}/`,
    virtual_minimum_uid: '1',
    virtual_uid_maps: `static:${reports.uid}`,
    virtual_gid_maps: `static:${reports.gid}`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(join(folder, 'conf', 'main.cf'), lines.join(''));
  writeFileSync(join(folder, 'conf', 'master.cf'), `127.0.0.1:${port} inet n - n - - smtpd${DAEMONS}`);
  const server = spawn('/usr/sbin/postfix', ['-c', join(folder, 'conf'), 'start-fg'], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  after(async () => {
    // What was started is a script: the master is a process of its own that would outlast it.
    process.kill(Number(readFileSync(join(folder, 'queue', 'pid', 'master.pid'), 'utf8')), 'SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await until('Postfix listens', () => {
    if (server.exitCode !== null) throw new Error(`Postfix ended: ${readFileSync(join(folder, 'log'))}`);
    return isListening(port);
  });
  return { port };
}
