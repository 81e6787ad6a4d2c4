import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { hasCommand } from './commands.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Why tests with Dovecot are skipped; false where it is installed, and where it has to be. */
export const no_dovecot =
  !process.env.CI && !hasCommand('dovecot', '/usr/sbin') && 'dovecot-imapd is not installed';

export type Dovecot = {
  /** For BOUNCE_MAILBOX_URL. */
  url: string;
  /** The certificate that its own is signed by, and the path of its file. */
  ca: string;
  ca_path: string;
  /** The folder that holds what waits in the mailbox, as a mail server delivers it: a Maildir. */
  maildir: string;
  deliver(mail: string | Buffer): void;
  /** How many mails wait, how many were put away, and how many aside. */
  waiting(): number;
  processed(): number;
  failed(): number;
};

const is_root = process.getuid?.() === 0;

/** Dovecot opens no mail as root. */
export const mail_owner = is_root
  ? { uid: 65_534, gid: 65_534 }
  : { uid: userInfo().uid, gid: userInfo().gid };

const USER = 'bounces@example.co.jp';
const PASSWORD = 'a password with %25 and @';

/** A Dovecot with one mailbox, over TLS. It ends with the test file. */
export async function startDovecot(): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'dovecot-'));
  // Its processes give up the rights of root, and read these as others.
  chmodSync(folder, 0o755);
  const [port, ca_path, key_path] = [await freePort(), join(folder, 'cert.pem'), join(folder, 'key.pem')];
  makeCertificate(ca_path, key_path);
  const maildir = join(folder, 'mail');
  for (const name of ['', 'cur', 'new', 'tmp']) mkdirSync(join(maildir, name), { recursive: true });
  const { uid, gid } = mail_owner;
  if (is_root) execFileSync('chown', ['-R', `${uid}:${gid}`, maildir]);
  writeFileSync(join(folder, 'users'), `${USER}:{PLAIN}${PASSWORD}\n`);
  const settings = `
    base_dir = ${folder}/run
    state_dir = ${folder}/state
    log_path = ${folder}/log
    protocols = imap
    listen = 127.0.0.1
    ssl = required
    ssl_cert = <${ca_path}
    ssl_key = <${key_path}
    mail_location = maildir:${maildir}
    first_valid_uid = 1
    auth_username_format = %u
    ${is_root ? '' : `default_internal_user = ${userInfo().username}\n    default_login_user = ${userInfo().username}`}
    passdb {
      driver = passwd-file
      args = scheme=PLAIN ${folder}/users
    }
    userdb {
      driver = static
      args = uid=${uid} gid=${gid} home=${maildir}
    }
    service imap-login {
      chroot =
      inet_listener imap {
        port = 0
      }
      inet_listener imaps {
        port = ${port}
        ssl = yes
      }
    }
    service anvil {
      chroot =
    }
  `;
  writeFileSync(join(folder, 'dovecot.conf'), settings.replace(/^ {4}/gm, ''));
  const server = spawn('/usr/sbin/dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  after(async () => {
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await until('Dovecot listens', () => {
    if (server.exitCode !== null) throw new Error(`Dovecot ended: ${readFileSync(join(folder, 'log'))}`);
    return isListening(port);
  });
  const count = (path: string) => {
    const all = ['cur', 'new'].flatMap((name) => filesIn(join(maildir, path, name)));
    return all.length;
  };
  let delivered = 0;
  return {
    url: `imaps://${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    ca: readFileSync(ca_path, 'utf8'),
    ca_path,
    maildir,
    deliver: (mail) => {
      delivered += 1;
      const path = join(maildir, 'new', `${String(delivered).padStart(6, '0')}.${process.pid}.test`);
      writeFileSync(path, mail);
    },
    waiting: () => count('.'),
    processed: () => count('.Processed'),
    failed: () => count('.Failed'),
  };
}

/** A certificate for this machine that is its own authority. */
function makeCertificate(certificate: string, key: string): void {
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1';
  const options = [...made.split(' '), '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...options, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
}

/** Whether somebody takes connections at a port of this machine. */
export function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.on('connect', () => resolve(true));
  socket.on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

function filesIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}
