import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { chromiumPath } from '../../../workers/pdf/executable.ts';

type Rendered = {
  found: { is_browser: boolean; line: string; environment: string[]; namespace: string | null }[];
  warnings: { reason: string; message: string }[];
  error: string | null;
  namespace: string;
};

/** Tests that run as root render as an account that is not; others as their own. */
const NOBODY = 65_534;
const is_root = process.getuid?.() === 0;
const account = is_root ? { uid: NOBODY, gid: NOBODY } : {};
const has_namespaces = spawnSync('unshare', ['--user', 'true'], account).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));
const chromium = await chromiumPath({ chrome_path: process.env.CHROME_PATH, data_dir: folder }, new Date());

/** Renders in a process of that account whose environment has secrets. */
async function rendered(as: { uid?: number; gid?: number }, path = chromium): Promise<Rendered> {
  const data = mkdtempSync(join(folder, 'data-'));
  if (as.uid !== undefined) chownSync(data, as.uid, as.gid ?? as.uid);
  const program = resolve(import.meta.dirname, 'fixtures/renders.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, data, path], {
    ...as,
    env: {
      ...process.env,
      DATABASE_URL: 'postgres://u:secret@db/x',
      AUTH_SECRET: 'a secret',
      SMTP_URL: 'smtp://s',
    },
  });
  return JSON.parse(stdout);
}

/** A program in the place of Chromium that fails with these words unless it is told to do without the sandbox. */
function failing(words: string): string {
  const path = join(folder, `chromium-${Math.abs(words.length)}`);
  const script = `#!/bin/sh
case "$*" in *--no-sandbox* | *--version*) exec "${chromium}" "$@" ;; esac
echo "[1:1:FATAL:zygote_host_impl_linux.cc(127)] ${words}" >&2
exit 1
`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

describe('Chromium', () => {
  test('has its sandbox where the account is not root and the kernel has user namespaces', {
    skip: has_namespaces ? false : 'this machine allows no user namespaces',
  }, async () => {
    const { found, warnings, error, namespace } = await rendered(account);
    assert.deepEqual([error, warnings], [null, []]);
    assert.ok(found.length > 2);
    assert.ok(found.every(({ line }) => !line.includes('--no-sandbox')));
    const pages = found.filter(({ line }) => line.includes('--type=renderer'));
    assert.ok(pages.length > 0);
    assert.ok(pages.every((page) => page.namespace !== namespace));
  });

  test('runs without it for root, and the log has one warning of it', { skip: !is_root }, async () => {
    const { found, warnings, error } = await rendered({});
    assert.equal(error, null);
    assert.ok(found.some(({ line }) => line.includes('--no-sandbox')));
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!.message, /without its sandbox: run the workers as an account other than root/);
    assert.match(warnings[0]!.reason, /root/);
  });

  test('runs without it where the kernel forbids it, with the reason in the warning', async () => {
    const { found, warnings, error } = await rendered(
      account,
      failing('No usable sandbox! Update your kernel'),
    );
    assert.equal(error, null);
    assert.ok(found.length > 0);
    assert.deepEqual(
      warnings.map(({ reason }) => /No usable sandbox!/.test(reason)),
      [true],
    );
  });

  test('does not run without it for another reason', { skip: is_root && !has_namespaces }, async () => {
    const { found, error, warnings } = await rendered(
      account,
      failing('error while loading shared libraries: libx.so'),
    );
    assert.match(error ?? '', /CannotStart.*error while loading shared libraries/);
    assert.deepEqual(found, []);
    assert.ok(warnings.every(({ message }) => !message.includes('without its sandbox')));
  });

  test('gets those variables of the environment alone that it needs', async () => {
    const { found } = await rendered(account, failing('No usable sandbox!'));
    const allowed = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TZ', 'HOME', 'LANG', 'FONTCONFIG_FILE', 'PWD'];
    // What the browser sets for itself, such as FC_FONTATIONS, its children have too if they start later.
    const own = found.filter(({ is_browser }) => is_browser).flatMap(({ environment }) => environment);
    assert.ok(own.includes('HOME'));
    assert.deepEqual(
      own.filter((name) => !allowed.includes(name)),
      [],
    );
    const secrets = ['DATABASE_URL', 'AUTH_SECRET', 'SMTP_URL'];
    const names = found.flatMap(({ environment }) => environment);
    assert.deepEqual(
      names.filter((name) => secrets.includes(name)),
      [],
    );
  });
});
