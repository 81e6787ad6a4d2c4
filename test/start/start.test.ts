import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readIdentity } from '../../shared/db/embedded/identity.ts';
import { runningPostmaster } from '../../shared/db/embedded/postmaster.ts';
import { freePort } from '../support/free-port.ts';
import { preparedFolder } from '../support/prepared-folder.ts';
import { cleanUp, isRunning, newFolder, run, type Service, until } from './service.ts';

const PROGRAM = 'test/start/fixtures/start.ts';
let folder: string;
let port: number;

/** To start takes seconds: the tests of a block follow each other on one data folder. */
function onOneFolder(make: () => string | Promise<string>): void {
  before(async () => {
    folder = await make();
    port = await freePort();
  });
  after(() => cleanUp(folder));
}

describe('the first start', () => {
  onOneFolder(newFolder);
  let service: Service;

  it('makes a database, serves and says where', async () => {
    service = begin();
    await service.up();
    const { database, embedded } = await ask();
    assert.deepEqual({ database, embedded }, { database: 'business_operations', embedded: true });
    assert.match(
      service.progress(),
      /Making a database in .*\n.*applied\.\nStarting the API and the workers\.\n/s,
    );
    assert.match(service.progress(), new RegExp(`API +http://localhost:${port}/api/v1 `));
    assert.match(service.progress(), /Sign-in +demo@example\.com/);
    const kept = readFileSync(join(folder, 'operator-password'), 'utf8').trim();
    assert.match(kept, /^[\w-]{20}$/);
    assert.ok(service.progress().includes(` password ${kept}, any user name `));
    assert.ok(!service.logs().includes(kept));
    assert(postmaster());
  });

  it('keeps passwords and secret for its own account alone', () => {
    for (const name of ['postgres.json', 'auth-secret', 'operator-password'])
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  });

  it('writes the logs of all processes as JSON lines, also what is none', async () => {
    // What follows the last end of a line is no whole line yet.
    const lines = () =>
      service
        .logs()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    const written = (msg: string, name?: string) =>
      until(
        () => lines().some((line) => line.msg === msg && (name === undefined || line.process === name)),
        () => service.logs(),
      );
    await written('listening');
    await written('no JSON at all', 'workers');
  });

  it('ends with 0 after Ctrl-C, leaving nothing running', async () => {
    service.signal('SIGINT');
    assert.equal(await service.ended, 0);
    assert.equal(postmaster(), null);
    await assert.rejects(ask());
  });
});

describe('a later start', () => {
  onOneFolder(preparedFolder);

  it('finds the same database', async () => {
    const first = begin();
    await first.up();
    const identity = readIdentity(folder);
    first.signal('SIGTERM');
    assert.equal(await first.ended, 0);
    const second = begin();
    await second.up();
    assert.equal(readIdentity(folder)?.password, identity?.password);
    assert.doesNotMatch(second.progress(), /Making a database|is applied/);
    const kept = readFileSync(join(folder, 'operator-password'), 'utf8').trim();
    assert.ok(first.progress().includes(kept) && !second.progress().includes(kept));
    second.signal('SIGTERM');
    assert.equal(await second.ended, 0);
  });

  it('runs as many API processes on the port as it is told', async () => {
    const service = begin({ API_PROCESSES: '2' });
    await service.up();
    const seen = new Set<number>();
    await until(
      async () => seen.add((await ask()).pid).size === 2,
      () => `only ${[...seen]} answered`,
    );
    service.signal('SIGINT');
    assert.equal(await service.ended, 0);
  });

  it('is found by the command that tells how the queues stand, which says so where none runs', async () => {
    const ask = () => run('workers/queues-command.ts', { DATA_DIR: folder });
    const service = begin();
    await service.up();
    const status = ask();
    assert.equal(await status.ended, 0, status.progress());
    assert.match(status.logs(), /^The queues are on postgres\.\n/);
    service.signal('SIGTERM');
    assert.equal(await service.ended, 0);
    const refused = ask();
    assert.equal(await refused.ended, 1);
    assert.match(refused.progress(), /^DATABASE_URL is required where no npm start runs\.\n$/);
  });

  it('adopts the database after everything was killed, and no process of the killed one is left', async () => {
    const first = begin();
    await first.up();
    const server = postmaster();
    const { pid } = await ask();
    first.killGroup();
    await first.ended;
    assert.deepEqual(postmaster(), server);
    await until(
      () => !isRunning(pid),
      () => `the API ${pid} of the killed start still runs`,
    );
    const second = begin();
    await second.up();
    assert.match(second.progress(), /adopted/);
    assert.deepEqual(postmaster(), server);
    assert.notEqual((await ask()).pid, pid);
    second.signal('SIGINT');
    assert.equal(await second.ended, 0);
    assert.equal(postmaster(), null);
  });

  it('is not misled by a leftover postmaster.pid that names another process', async () => {
    const first = begin();
    await first.up();
    first.signal('SIGTERM');
    await first.ended;
    const { folder: database, port: databasePort } = readIdentity(folder) ?? { folder: '', port: 0 };
    writeFileSync(
      join(database, 'postmaster.pid'),
      `${process.pid}\n${database}\n1\n${databasePort}\n\n127.0.0.1\n`,
    );
    const second = begin();
    await second.up();
    assert.notEqual(postmaster()?.pid, process.pid);
  });
});

describe('while it runs', () => {
  onOneFolder(preparedFolder);
  let service: Service;

  it('starts a process again that died', async () => {
    service = begin();
    await service.up();
    const { pid } = await ask();
    await assert.rejects(fetch(`http://127.0.0.1:${port}/die`));
    await until(
      async () => (await ask().catch(() => ({ pid }))).pid !== pid,
      () => service.logs(),
    );
    await until(
      () => /"process":"api".*ended with code 3 and is started again/.test(service.logs()),
      () => service.logs(),
    );
  });

  it('starts the embedded database again that died', async () => {
    const server = postmaster();
    process.kill(server?.pid as number, 'SIGKILL');
    await until(
      () => service.logs().includes('had ended and is started again'),
      () => service.logs(),
    );
    assert.equal((await ask()).database, 'business_operations');
    assert.equal(postmaster()?.port, server?.port);
  });
});

describe('Ctrl-C', () => {
  onOneFolder(preparedFolder);

  it('waits for what is under way; a second one ends at once, and the next start recovers', async () => {
    const service = begin();
    await service.up();
    const { pid } = await ask();
    const hanging = assert.rejects(fetch(`http://127.0.0.1:${port}/hang`));
    await until(
      () => service.logs().includes('hanging'),
      () => service.logs(),
    );
    service.signal('SIGINT');
    await until(
      () => service.progress().includes('Ending:'),
      () => service.progress(),
    );
    assert(isRunning(pid));
    await until(
      () => {
        if (service.running()) service.signal('SIGINT');
        return !service.running();
      },
      () => service.progress(),
    );
    assert.equal(await service.ended, 130);
    await hanging;
    const next = begin();
    await next.up();
    assert.equal((await ask()).database, 'business_operations');
  });
});

describe('Ctrl-C during the first start', () => {
  onOneFolder(newFolder);

  it('ends it with 0', async () => {
    const service = begin();
    await until(
      () => service.progress().includes('Starting the embedded'),
      () => service.progress(),
    );
    service.signal('SIGINT');
    assert.equal(await service.ended, 0);
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
