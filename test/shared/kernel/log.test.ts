import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const log_file = fileURLToPath(new URL('../../../shared/kernel/log.ts', import.meta.url));
const PROGRAM = `
  import { openLog } from ${JSON.stringify(log_file)};
  const { log, end } = openLog('tried', 'info');
  process.on('exit', () => process.stderr.write('cleaned up'));
  process.once('SIGUSR2', async () => {
    const ended = end();
    log.info('While the log ends');
    await ended;
    log.child({ part: 'relay' }).info('After it');
    process.exit(0);
  });
  process.once('SIGTERM', async () => {
    for (let line = 0; line < 20_000; line += 1) log.info({ line }, 'A last line');
    await end();
    process.exit(0);
  });
  process.stderr.write('ready');
  setInterval(() => undefined, 1_000);
`;

/** A process that logs 20,000 lines when it is asked to end; on SIGUSR2 lines that come too late. */
async function start() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
  await once(child.stderr, 'data');
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const ended = once(child, 'close').then(([code]) => ({ code, errors }));
  return { child, ended };
}

describe('a process that ends its log', () => {
  it('has every line written, and does what is to be done on exit', { timeout: 120_000 }, async () => {
    const { child, ended } = await start();
    let lines = '';
    child.stdout.on('data', (text) => (lines += text));
    child.kill('SIGTERM');
    assert.deepEqual(await ended, { code: 0, errors: 'cleaned up' });
    const read = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      read.map(({ line }) => line),
      Array.from({ length: 20_000 }, (_, line) => line),
    );
    assert.equal(read[0].process, 'tried');
  });

  it('has every line written to a reader who takes long', { timeout: 120_000 }, async () => {
    const { child, ended } = await start();
    let lines = '';
    child.stdout.on('data', (text) => {
      lines += text;
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), 200);
    });
    child.kill('SIGTERM');
    assert.deepEqual(await ended, { code: 0, errors: 'cleaned up' });
    assert.equal(lines.trimEnd().split('\n').length, 20_000);
  });

  it('may still hear from what had not ended before', { timeout: 120_000 }, async () => {
    const { child, ended } = await start();
    child.stdout.resume();
    child.kill('SIGUSR2');
    assert.deepEqual(await ended, { code: 0, errors: 'cleaned up' });
  });

  it('ends where nobody reads its lines any more', { timeout: 120_000 }, async () => {
    const { child, ended } = await start();
    child.stdout.destroy();
    child.kill('SIGTERM');
    assert.deepEqual(await ended, { code: 0, errors: 'cleaned up' });
  });

  it('ends where its lines are kept open and not read', { timeout: 120_000 }, async () => {
    const { child, ended } = await start();
    child.stdout.pause();
    child.kill('SIGTERM');
    await once(child, 'exit');
    child.stdout.resume();
    assert.deepEqual(await ended, { code: 0, errors: 'cleaned up' });
  });
});
