import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { clamd } from '../../shared/platform/intake/clamd.ts';
import { until } from './until.ts';

/** The file that every scanner of malware finds, and that does nothing (eicar.org). It is put together here only. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** Of the database of signatures: MD5, size, name. */
const SIGNATURES = '44d88612fea8a8f36de82e1278abb02f:68:Eicar-Test-Signature\n';

export type TestClamd = {
  /** For CLAMD_URL. */
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
};

/** A real clamd that knows one signature and takes `most_bytes`. It ends with the test file. */
export async function startClamd({ most_bytes = 1024 * 1024 } = {}): Promise<TestClamd> {
  const folder = mkdtempSync(join(tmpdir(), 'clamd-'));
  // It gives up the rights of root, and its new account reads these.
  chmodSync(folder, 0o777);
  const signatures = join(folder, 'signatures');
  mkdirSync(signatures);
  writeFileSync(join(signatures, 'eicar.hdb'), SIGNATURES);
  const socket = join(folder, 'clamd.sock');
  const options = [
    `LocalSocket ${socket}`,
    `DatabaseDirectory ${signatures}`,
    `TemporaryDirectory ${folder}`,
    'Foreground yes',
    'AlertExceedsMax yes',
    `StreamMaxLength ${most_bytes}`,
    `MaxFileSize ${most_bytes}`,
    `MaxScanSize ${most_bytes}`,
  ];
  writeFileSync(join(folder, 'clamd.conf'), `${options.join('\n')}\n`);
  const url = `unix:${socket}`;
  let running: ReturnType<typeof spawn> | null = null;

  async function start(): Promise<void> {
    running = spawn('/usr/sbin/clamd', ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' });
    const scanner = clamd(url, { most_bytes });
    await until('clamd answers', () =>
      scanner.check().then(
        () => true,
        () => false,
      ),
    );
  }

  async function stop(): Promise<void> {
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
    running = null;
    rmSync(socket, { force: true });
  }

  after(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return { url, start, stop };
}
