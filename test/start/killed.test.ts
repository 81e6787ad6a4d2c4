import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { openDatabase } from '../../shared/db/database.ts';
import { readIdentity, serviceUrl } from '../../shared/db/embedded/identity.ts';
import { runningPostmaster } from '../../shared/db/embedded/postmaster.ts';
import { workerGroups } from '../../start/groups.ts';
import { assertExactlyOnce, resent, sendContacts } from '../resilience/senders.ts';
import { newActor } from '../support/actors.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { cleanUp, isRunning, newFolder, run, type Service } from './service.ts';

const folder = newFolder();
after(() => cleanUp(folder));

test('whatever is killed under load, a new start comes up and nothing acknowledged is lost', async (context) => {
  const port = await freePort();
  const environment = { DATA_DIR: folder, PORT: String(port), RATE_LIMIT_PER_MINUTE: '0' };
  const start = async () => {
    const service = run('start.ts', environment, ['--no-demo']);
    await service.up();
    return service;
  };
  await killWhileStarting(run('start.ts', environment, ['--no-demo']));
  let service = await start();
  const database = openDatabase({ url: serviceUrl(readIdentity(folder)!), pool_size: 1 });
  after(() => database.end());
  const { secret, organization_id } = await newActor(database);
  const load = { count: 400, parallel: 8, gap: 10 };
  const senders = sendContacts(`http://127.0.0.1:${port}`, secret, load);
  const more = (count: number) => {
    const before = senders.acknowledged_at.length;
    return until('more is acknowledged', () => senders.acknowledged_at.length >= before + count);
  };

  for (const kill of [killStart, killProcesses, killEverything]) {
    await more(40);
    kill(service);
    await service.ended;
    await until('nobody listens any more', async () => (await answers(port)) === false);
    service = await start();
  }
  await senders.done;
  await assertExactlyOnce(database, organization_id, senders.wanted);
  const cut = senders.wanted.filter(({ answers }) => answers.includes('cut')).length;
  context.diagnostic(
    `${load.count} sent, ${cut} cut at least once, ${resent(senders.wanted)} sent again, 0 lost, 0 doubled`,
  );
  service.signal('SIGTERM');
  assert.equal(await service.ended, 0);
});

/** Whether the port is listened on. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function killStart(service: Service): void {
  service.killGroup();
}

/** The start, the API and the workers; the database, which may be a child as well, goes on. */
function killProcesses(service: Service): void {
  const own = processesOf(service);
  assert.equal(own.length, 1 + workerGroups.length, 'the API and the workers');
  service.killGroup();
  for (const pid of own) process.kill(pid, 'SIGKILL');
}

/** The API and the workers, which load their programs still, find that they have been left and end. */
async function killWhileStarting(service: Service): Promise<void> {
  await until('it starts its processes', () => service.progress().includes('Starting the API'));
  const own = await until('all processes', () => {
    const begun = processesOf(service);
    return begun.length === 1 + workerGroups.length && begun;
  });
  service.killGroup();
  await service.ended;
  await until('those that it started have ended', () => own.every((pid) => !isRunning(pid)));
}

function processesOf(service: Service): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(service.pid)]);
  const server = postmaster();
  const children = stdout.toString().trim().split('\n').map(Number);
  return children.filter((pid) => pid !== server);
}

function killEverything(service: Service): void {
  killProcesses(service);
  process.kill(postmaster(), 'SIGKILL');
}

function postmaster(): number {
  return runningPostmaster(readIdentity(folder)!.folder)!.pid;
}
