import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readIdentity } from '../../shared/db/embedded/identity.ts';
import { runningPostmaster } from '../../shared/db/embedded/postmaster.ts';
import { freePort } from '../support/free-port.ts';
import { preparedFolder } from '../support/prepared-folder.ts';
import { cleanUp, newFolder, run, type Service } from './service.ts';

const PROGRAM = 'test/start/fixtures/start.ts';
let folder: string;
let port: number;

beforeEach(async () => {
  folder = newFolder();
  port = await freePort();
});
afterEach(() => cleanUp(folder));

describe('what stands in the way is one sentence and exit 1', () => {
  it('a start on the same folder', async () => {
    folder = await preparedFolder();
    const first = begin();
    await first.up();
    const second = begin({ PORT: String(await freePort()) });
    assert.equal(await second.ended, 1);
    assert.match(
      second.progress(),
      /^Starting the embedded database\.\nAnother process \(\d+\) already runs the database in .*\.\n$/,
    );
    assert.equal((await ask()).embedded, true);
  });

  it('two starts at the same moment', async () => {
    const services = [begin(), begin({ PORT: String(await freePort()) })];
    const ends = await Promise.allSettled(services.map((service) => service.up()));
    assert.deepEqual(ends.map((end) => end.status).sort(), ['fulfilled', 'rejected']);
    const loser = services[ends.findIndex((end) => end.status === 'rejected')];
    assert.equal(await loser?.ended, 1);
    assert.match(loser?.progress() ?? '', /already runs the database in .*\.\n$/);
  });

  it('a taken port, before anything is made', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const service = begin();
    assert.equal(await service.ended, 1);
    assert.equal(
      service.progress(),
      `Port ${port} is taken by another program: end it, or choose another with PORT.\n`,
    );
    assert.equal(existsSync(folder), false);
    other.close();
  });

  it('a host that is none of this machine', async () => {
    const service = begin({ HOST: '192.0.2.1' });
    assert.equal(await service.ended, 1);
    assert.match(service.progress(), /^The API cannot listen on HOST 192\.0\.2\.1, .*EADDRNOTAVAIL\)\.\n$/);
  });

  it('a data folder that cannot be written', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'file'), '');
    const service = begin({ DATA_DIR: join(folder, 'file', 'data') });
    assert.equal(await service.ended, 1);
    assert.match(
      service.progress(),
      /\nDATA_DIR \(.*data\) cannot be written: not a directory \(ENOTDIR\)\.\n$/,
    );
  });

  it('a data folder where the system lets none be made', async () => {
    const service = begin({ DATA_DIR: '/proc/none/data' });
    assert.equal(await service.ended, 1);
    assert.match(
      service.progress(),
      /\nDATA_DIR \(\/proc\/none\/data\) cannot be written: .*\(ENOENT\)\.\n$/,
    );
  });

  it('a wrong setting', async () => {
    const service = begin({ SIGN_UP: 'perhaps' });
    assert.equal(await service.ended, 1);
    assert.equal(service.progress(), 'SIGN_UP must be one of open, invited.\n');
  });

  it('a missing secret beside a database of one’s own', async () => {
    const service = begin({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' });
    assert.equal(await service.ended, 1);
    assert.match(service.progress(), /^AUTH_SECRET is required with DATABASE_URL: .*\.\n$/);
  });

  it('a database that does not answer', async () => {
    const service = begin({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x', AUTH_SECRET: 'x'.repeat(32) });
    assert.equal(await service.ended, 1);
    assert.match(service.progress(), /^The database of DATABASE_URL does not answer: .*\.\n$/);
  });

  it('an unknown option', async () => {
    const service = begin({}, ['--demo']);
    assert.equal(await service.ended, 1);
    assert.match(service.progress(), /^The option --demo is unknown: .*\.\n$/);
  });

  it('an API that ends before it serves', async () => {
    folder = await preparedFolder();
    const service = begin({ API_PROGRAM: 'broken-api.ts' });
    assert.equal(await service.ended, 1);
    assert.match(service.progress(), /^The api process ended with code 7 before it served\.$/m);
    assert.match(service.logs(), /nothing to serve/);
    assert.equal(postmaster(), null);
  });
});

function begin(environment: Record<string, string> = {}, words: string[] = []): Service {
  return run(PROGRAM, { DATA_DIR: folder, PORT: String(port), ...environment }, words);
}

async function ask(): Promise<{ pid: number; database: string; embedded: boolean }> {
  const response = await fetch(`http://127.0.0.1:${port}/`);
  return (await response.json()) as { pid: number; database: string; embedded: boolean };
}

function postmaster() {
  const identity = readIdentity(folder);
  return identity && runningPostmaster(identity.folder);
}
