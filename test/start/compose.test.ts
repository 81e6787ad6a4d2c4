import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { getPriority } from 'node:os';
import { resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { queueNames } from '../../shared/platform/queues.ts';
import {
  API_SECRETS,
  readSettings,
  readWorkerSettings,
  settingRows,
} from '../../shared/platform/settings/settings.ts';
import { wordsOf, workerGroups } from '../../start/groups.ts';
import { nodeFlags } from '../../start/launch.ts';
import { freePort } from '../support/free-port.ts';
import { testServer } from '../support/postgres.ts';
import {
  type ComposeService,
  imageEnvironment,
  read,
  readCompose,
  readDockerfile,
} from './container-files.ts';
import { newFolder, run, type Service, until } from './service.ts';

const root = resolve(import.meta.dirname, '../..');
const compose = readCompose({ POSTGRES_PASSWORD: 'p'.repeat(32), AUTH_SECRET: 'x'.repeat(64) });
const own = Object.entries(compose.services).filter(([, service]) => service.build);
const known = new Set(settingRows.map((row) => row.name));
/** What stands fast in a container, besides what is asked for. */
const FIXED = ['PORT', 'HOST', 'DATA_DIR', 'EMBEDDED_DATABASE'];
/** One container, one process. */
const NEEDLESS = ['API_PROCESSES'];
/** What the image sets for the runtime itself. */
const RUNTIME = new Set(['NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'PATH']);

describe('docker-compose.yml', () => {
  it('runs the migrations, the API and the workers from the image', () => {
    assert.deepEqual(
      own.map(([name]) => name),
      ['migrate', 'api', 'workers', 'workers-pdf', 'workers-bulk'],
    );
  });

  for (const [name, service] of own) {
    it(`sets for ${name} what the service knows, and all that it needs`, () => {
      const environment = { ...imageEnvironment(), ...service.environment };
      assert.deepEqual(
        Object.keys(environment).filter((key) => !known.has(key) && !RUNTIME.has(key)),
        [],
      );
      const settings = name === 'api' ? readSettings(environment) : readWorkerSettings(environment);
      assert.equal(settings.dataDir, '/data');
      assert.equal(settings.host, '0.0.0.0');
      assert.equal(settings.embeddedDatabase, false);
    });

    it(`takes for ${name} every other setting from the file .env`, () => {
      const words = settingRows
        .map((row) => row.name)
        .filter((word) => ![...FIXED, ...NEEDLESS, ...(name === 'api' ? [] : API_SECRETS)].includes(word));
      for (const word of words) {
        const secrets = { POSTGRES_PASSWORD: 'x', AUTH_SECRET: 'y' };
        const { environment } = readCompose({ ...secrets, [word]: 'from .env' }).services[
          name
        ] as ComposeService;
        assert.equal(environment?.[word], 'from .env', word);
      }
    });

    it(`names for ${name} a command that is there`, () => {
      const [program, file, ...rest] = service.command ?? [];
      assert.equal(program, 'node');
      const group = workerGroups.find((each) => each.name === name);
      assert.deepEqual(rest, group ? wordsOf(group) : []);
      assert(existsSync(resolve(root, file ?? '')), `${file} is missing`);
    });
  }

  it('lets every container trust an authority of its own', () => {
    const secrets = { POSTGRES_PASSWORD: 'x', AUTH_SECRET: 'y' };
    const { services } = readCompose({ ...secrets, NODE_EXTRA_CA_CERTS: '/etc/own-ca.pem' });
    for (const [name] of own) {
      assert.equal(services[name]?.environment?.['NODE_EXTRA_CA_CERTS'], '/etc/own-ca.pem', name);
    }
  });

  it('bounds the memory of the workers as npm start does, and serves every queue', () => {
    for (const group of workerGroups) {
      const { environment } = compose.services[group.name] as ComposeService;
      assert.equal(environment?.['NODE_OPTIONS'], nodeFlags(group).join(' '));
    }
    assert.deepEqual(workerGroups.flatMap((group) => group.queues).sort(), [...queueNames].sort());
  });

  it('asks for the two secrets instead of bringing some', () => {
    assert.throws(() => readCompose({ AUTH_SECRET: 'x' }), /set POSTGRES_PASSWORD/);
    assert.throws(() => readCompose({ POSTGRES_PASSWORD: 'x' }), /set AUTH_SECRET/);
  });

  it('waits for the databases, then the migrations, then serves', () => {
    const { migrate, api, workers } = compose.services;
    assert.deepEqual(migrate?.depends_on, { postgres: { condition: 'service_healthy' } });
    const others = ['workers-pdf', 'workers-bulk'].map((name) => compose.services[name]);
    for (const service of [api, workers, ...others]) {
      assert.equal(service?.depends_on?.['migrate']?.condition, 'service_completed_successfully');
      assert.equal(service?.depends_on?.['redis']?.condition, 'service_healthy');
    }
  });

  it('makes a database in which Japanese names can be found', () => {
    const { postgres } = compose.services;
    assert.match(postgres?.image ?? '', /^postgres:18/);
    assert.equal(postgres?.environment?.['POSTGRES_INITDB_ARGS'], '--encoding=UTF8 --locale=C.UTF-8');
    const url = new URL(compose.services['api']?.environment?.['DATABASE_URL'] ?? '');
    assert.equal(url.hostname, 'postgres');
    assert.equal(url.username, postgres?.environment?.['POSTGRES_USER']);
    assert.equal(url.password, postgres?.environment?.['POSTGRES_PASSWORD']);
    assert.equal(url.pathname, `/${postgres?.environment?.['POSTGRES_DB']}`);
  });

  it('publishes the API on this machine alone, and no other port', () => {
    const secrets = { POSTGRES_PASSWORD: 'x', AUTH_SECRET: 'y' };
    assert.deepEqual(compose.services['api']?.ports, ['127.0.0.1:3000:3000']);
    const chosen = readCompose({ ...secrets, PUBLISH: '0.0.0.0', PORT: '8080' });
    assert.deepEqual(chosen.services['api']?.ports, ['0.0.0.0:8080:3000']);
    const others = Object.entries(compose.services).filter(([name]) => name !== 'api');
    for (const [name, { ports }] of others) assert.equal(ports, undefined, name);
  });

  it('bounds the log of every container', () => {
    for (const [name, { logging }] of Object.entries(compose.services)) {
      assert.deepEqual(logging?.options, { 'max-size': '10m', 'max-file': '5' }, name);
    }
  });

  it('keeps every job: Redis evicts nothing and writes each change down', () => {
    assert.deepEqual(compose.services['redis']?.command?.slice(1), [
      '--maxmemory-policy',
      'noeviction',
      '--appendonly',
      'yes',
    ]);
  });

  it('keeps what must outlive a container in volumes, and runs nothing as root', () => {
    for (const [name, { volumes = [], user }] of Object.entries(compose.services)) {
      for (const volume of volumes) assert((volume.split(':')[0] as string) in compose.volumes, volume);
      if (!own.some(([ownName]) => ownName === name)) assert.match(user ?? 'root', /^(?!root)/, name);
    }
  });
});

describe('the Dockerfile', () => {
  const instructions = readDockerfile();
  const value = (name: string) =>
    instructions.findLast((instruction) => instruction.name === name)?.value ?? '';

  it('builds from slim Debian images, with the libraries that Chromium needs and without development packages', () => {
    for (const { value: image } of instructions.filter(({ name }) => name === 'FROM'))
      assert.match(image, /-slim( AS \w+)?$/);
    const steps = instructions.filter(({ name }) => name === 'RUN').map((instruction) => instruction.value);
    assert(steps.some((step) => step.startsWith('npm ci --omit=dev')));
    assert(steps.some((step) => /\blibnss3\b/.test(step)));
  });

  it('runs as an account that it has made and that owns /data', () => {
    const user = value('USER');
    assert.notEqual(user, 'root');
    assert(
      instructions.some(
        ({ name, value: step }) =>
          name === 'RUN' &&
          step.includes(`useradd`) &&
          step.includes(` ${user} `) &&
          step.includes(`install -d -o ${user} -g ${user} -m 700 /data`),
      ),
    );
  });

  it('runs Node.js of the lock file first in the path', () => {
    assert.match(imageEnvironment()['PATH'] ?? '', /^\/service\/node_modules\/\.bin:/);
    assert.equal(value('WORKDIR'), '/service');
  });

  it('checks health as docker-compose.yml does', () => {
    const [, command = ''] = value('HEALTHCHECK').split('CMD ');
    assert.deepEqual(JSON.parse(command), compose.services['api']?.healthcheck?.test?.slice(1));
  });

  it('takes in no data, no secrets and no packages of the machine that builds', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const path of ['.git', 'node_modules', 'data', '.env']) assert(ignored.includes(path), path);
  });
});

describe('the commands of docker-compose.yml, against a database like its own', () => {
  const database = `compose_${process.pid}`;
  const folder = newFolder();
  let admin: string;
  let changed: Record<string, string>;

  before(async () => {
    admin = (await testServer()).url;
    await query(`CREATE DATABASE ${database}`);
    const url = new URL(admin);
    url.pathname = `/${database}`;
    changed = {
      DATABASE_URL: url.href,
      REDIS_URL: '',
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      WORKERS_METRICS_PORT: String(await freePort()),
    };
  });
  after(async () => {
    await query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    rmSync(folder, { recursive: true, force: true });
  });

  it('migrate ends with 0', async () => {
    const service = begin('migrate');
    assert.equal(await service.ended, 0, service.progress());
    assert.match(service.logs(), /has the schema of this release/);
  });

  it('api becomes healthy by its own check, and ends with 0 when it is stopped', async () => {
    const service = begin('api');
    const check = () => run(compose.services['api']?.healthcheck?.test?.[2] as string, changed).ended;
    await until(
      async () => {
        assert(service.running(), service.progress());
        return (await check()) === 0;
      },
      () => service.logs(),
    );
    service.signal('SIGTERM');
    assert.equal(await service.ended, 0, service.progress());
    assert.equal(await check(), 1);
  });

  for (const { name, nice } of workerGroups) {
    it(`${name} come up with their priority and end with 0 when they are stopped`, async () => {
      const service = begin(name);
      await until(
        () => {
          assert(service.running(), service.progress());
          return /"process":"([^"]+)".*The workers are ready/.exec(service.logs())?.[1] === name;
        },
        () => service.logs(),
      );
      const expected = Math.max(nice ?? 0, getPriority());
      assert.deepEqual(threadPriorities(service.pid), [expected]);
      service.signal('SIGTERM');
      assert.equal(await service.ended, 0, service.progress());
    });
  }

  function begin(name: string): Service {
    const { command = [], environment } = compose.services[name] as ComposeService;
    const own = { ...imageEnvironment(), ...environment, PATH: process.env.PATH ?? '', ...changed };
    return run(command[1] as string, own, command.slice(2));
  }

  async function query(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: admin });
    await client.connect();
    await client.query(text).finally(() => client.end());
  }
});

/** The priorities that occur among the threads of a process (Linux has one for each thread). */
function threadPriorities(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number);
  return [...new Set(threads.map((thread) => getPriority(thread)))];
}
