import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { clearHomes } from '../../../workers/pdf/homes.ts';
import { markOf, type ProcessMark, processNamespace } from '../../../workers/pdf/processes.ts';

const homes = mkdtempSync(join(tmpdir(), 'homes-'));
after(() => rmSync(homes, { recursive: true, force: true }));

const namespace = await processNamespace();
const living = (await markOf(process.pid))!;
const dead: ProcessMark = { pid: living.pid, began: '1' };

function home(
  name: string,
  owner: { namespace: string; worker: ProcessMark | null; browser: ProcessMark | null },
) {
  mkdirSync(join(homes, name));
  writeFileSync(join(homes, name, 'owner.json'), JSON.stringify(owner));
}

/** A program in a group of its own that would go on for a minute. */
async function program() {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  after(() => child.kill('SIGKILL'));
  return { child, ended: once(child, 'exit'), mark: (await markOf(child.pid!))! };
}

describe('what browsers have left is cleared away', () => {
  test('when their worker is dead, with the browser; nobody else is touched', async () => {
    const [left, stranger, served, elsewhere] = await Promise.all([
      program(),
      program(),
      program(),
      program(),
    ]);
    home('of-a-dead-worker', { namespace, worker: dead, browser: left.mark });
    home('with-a-number-used-again', { namespace, worker: dead, browser: { ...stranger.mark, began: '2' } });
    home('of-a-living-worker', { namespace, worker: living, browser: served.mark });
    home('of-another-container', { namespace: 'pid:[1]', worker: dead, browser: elsewhere.mark });
    mkdirSync(join(homes, 'just-being-made'));

    assert.equal(await clearHomes(homes, new Date()), 2);
    assert.deepEqual(readdirSync(homes).sort(), [
      'just-being-made',
      'of-a-living-worker',
      'of-another-container',
    ]);
    assert.deepEqual(await left.ended, [null, 'SIGKILL']);
    for (const { mark } of [stranger, served, elsewhere]) assert.deepEqual(await markOf(mark.pid), mark);
  });

  test('when nobody can have begun them any more', async () => {
    const minutes = 60_000;
    assert.equal(await clearHomes(homes, new Date(Date.now() + 2 * minutes)), 1);
    assert.equal(await clearHomes(homes, new Date(Date.now() + 8 * 24 * 60 * minutes)), 1);
    assert.deepEqual(readdirSync(homes), ['of-a-living-worker']);
  });

  test('where there is no folder yet there is nothing to do', async () => {
    assert.equal(await clearHomes(join(homes, 'nowhere'), new Date()), 0);
  });
});
