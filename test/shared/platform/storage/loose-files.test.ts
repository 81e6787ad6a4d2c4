import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { transaction } from '../../../../shared/db/transaction.ts';
import { Failure } from '../../../../shared/kernel/failure.ts';
import { newId } from '../../../../shared/kernel/id.ts';
import { systemActor } from '../../../../shared/kernel/reader.ts';
import { Work } from '../../../../shared/kernel/work.ts';
import {
  type JobFile,
  jobFile,
  keepJobFile,
  releaseOldJobFiles,
} from '../../../../shared/platform/jobs/files.ts';
import { createJob, succeedJob } from '../../../../shared/platform/jobs/operations.ts';
import {
  discardFile,
  type Files,
  keepFile,
  releaseFile,
  removeLooseFiles,
  storeFile,
} from '../../../../shared/platform/storage/loose-files.ts';
import { openStorage } from '../../../../shared/platform/storage/open.ts';
import { type Storage, StoredFileMissing } from '../../../../shared/platform/storage/storage.ts';
import { freshDatabase } from '../../../support/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'loose-'));
const { database, drop } = await freshDatabase();
after(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
const storage = await openStorage({ dataDir: folder, storageUrl: undefined });
const files: Files = { database, storage };

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const start = new Date('2026-04-01T00:00:00.000Z');
const later = (milliseconds: number) => new Date(start.getTime() + milliseconds);
const running = new AbortController().signal;
const organization_id = newId('org', start);

/** Runs a step as a worker does, at that time. */
async function step<T>(run: (work: Work) => T | Promise<T>, now = start): Promise<T> {
  const who = { organization_id, actor: systemActor, request_id: null, ip_address: null };
  return database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const work = new Work({ connection, now, ...who }, { may_change_nothing: true });
      const result = await run(work);
      await commit(work.finish());
      return result;
    }),
  );
}

function stored(content = 'a,b\n', now = start, to: Files = files) {
  return storeFile(to, { organization_id, area: 'jobs', body: Readable.from([content]), limit: 1000, now });
}

const isThere = async ({ storage_key }: { storage_key: string }): Promise<boolean> => {
  try {
    await text(await storage.read(storage_key));
    return true;
  } catch (error) {
    assert.ok(error instanceof StoredFileMissing);
    return false;
  }
};

async function looseKeys(): Promise<string[]> {
  const rows = await database.withConnection('*', ({ query }) =>
    query('SELECT storage_key FROM loose_files'),
  );
  return rows.map(({ storage_key }) => String(storage_key));
}

/** A store whose files cannot be removed for a while. */
function stubborn(): { storage: Storage; relent: () => void } {
  let refuses = true;
  return {
    relent: () => {
      refuses = false;
    },
    storage: {
      ...storage,
      remove: async (key) => {
        if (refuses) throw new Failure('unavailable');
        await storage.remove(key);
      },
    },
  };
}

describe('a stored file', () => {
  test('is removed a day later when nothing has kept it, not before', async () => {
    const file = await stored();
    assert.equal(await removeLooseFiles(files, later(DAY - 1), running), 0);
    assert.ok(await isThere(file));
    assert.equal(await removeLooseFiles(files, later(DAY), running), 1);
    assert.ok(!(await isThere(file)));
    assert.deepEqual(await looseKeys(), []);
  });

  test('that a transaction has kept stays for ever', async () => {
    const file = await stored();
    await step((work) => keepFile(work, file.storage_key));
    assert.equal(await removeLooseFiles(files, later(365 * DAY), running), 0);
    assert.ok(await isThere(file));
  });

  test('is not kept by a transaction that fails', async () => {
    const file = await stored();
    const failing = step(async (work) => {
      await keepFile(work, file.storage_key);
      throw new Error('Something else went wrong');
    });
    await assert.rejects(failing, /Something else/);
    assert.equal(await removeLooseFiles(files, later(DAY), running), 1);
    assert.ok(!(await isThere(file)));
  });

  test('cannot be kept once it is being removed', async () => {
    const { storage: slow, relent } = stubborn();
    const file = await stored();
    await assert.rejects(discardFile({ database, storage: slow }, organization_id, file.storage_key));
    assert.ok(await isThere(file));
    const keeping = step((work) => keepFile(work, file.storage_key));
    await assert.rejects(keeping, (error) => error instanceof Failure && error.code === 'unavailable');
    relent();
    assert.equal(await removeLooseFiles({ database, storage: slow }, start, running), 1);
    assert.ok(!(await isThere(file)));
  });

  test('is not removed by one who does not know that it was kept meanwhile', async () => {
    const file = await stored();
    const kept = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const keeping = step(async (work) => {
      await keepFile(work, file.storage_key);
      kept.resolve();
      await goOn.promise;
    });
    await kept.promise;
    const discarding = discardFile(files, organization_id, file.storage_key);
    goOn.resolve();
    await Promise.all([keeping, discarding]);
    assert.ok(await isThere(file));
    assert.deepEqual(await looseKeys(), []);
  });

  test('that a record gives up is removed after the commit', async () => {
    const file = await stored();
    await step((work) => keepFile(work, file.storage_key));
    await step((work) => releaseFile(work, file.storage_key), later(HOUR));
    assert.ok(await isThere(file));
    assert.equal(await removeLooseFiles(files, later(HOUR), running), 1);
    assert.ok(!(await isThere(file)));
  });

  test('that broke off leaves neither bytes nor a row', async () => {
    const body = Readable.from(
      (function* () {
        yield 'a';
        throw new Error('The sender has gone');
      })(),
    );
    const storing = storeFile(files, { organization_id, area: 'jobs', body, limit: 1000, now: start });
    await assert.rejects(storing, /The sender has gone/);
    assert.deepEqual(await looseKeys(), []);
  });

  test('that a killed process left half written is removed too', async () => {
    const storage_key = `${organization_id}/jobs/half`;
    await database.withConnection(organization_id, ({ query }) =>
      query('INSERT INTO loose_files VALUES ($1, $2, $3, false, $3)', [
        organization_id,
        storage_key,
        start.toISOString(),
      ]),
    );
    const path = join(folder, 'files', `${storage_key}.part`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'half');
    assert.equal(await removeLooseFiles(files, start, running), 1);
    assert.ok(!existsSync(path));
  });
});

describe('the sweep', () => {
  test('goes on with the others when one file cannot be removed, says so, and finds it the next time', async () => {
    const { storage: slow, relent } = stubborn();
    const made = [await stored('1'), await stored('2'), await stored('3')];
    const refusing: Storage = {
      ...storage,
      remove: (key) => (key === made[1]!.storage_key ? slow : storage).remove(key),
    };
    const sweeping = removeLooseFiles({ database, storage: refusing }, later(DAY), running);
    await assert.rejects(sweeping, /1 files could not be removed/);
    assert.deepEqual(await Promise.all(made.map(isThere)), [false, true, false]);
    relent();
    assert.equal(await removeLooseFiles({ database, storage: refusing }, later(DAY), running), 1);
    assert.deepEqual(await looseKeys(), []);
  });

  test('leaves a file to a transaction that keeps it just now, and removes the others', async () => {
    const [kept, other] = [await stored('1'), await stored('2')];
    const swept = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const keeping = step(async (work) => {
      await keepFile(work, kept.storage_key);
      locked.resolve();
      await swept.promise;
    });
    await locked.promise;
    assert.equal(await removeLooseFiles(files, later(DAY), running), 1);
    swept.resolve();
    await keeping;
    assert.deepEqual(await Promise.all([kept, other].map(isThere)), [true, false]);
    assert.deepEqual(await looseKeys(), []);
  });

  test('removes those of several organizations, each where it is', async () => {
    const others = [newId('org', start), newId('org', start)];
    const made = await Promise.all(
      [organization_id, ...others].map((owner) => {
        const body = Readable.from(['a']);
        return storeFile(files, { organization_id: owner, area: 'jobs', body, limit: 1000, now: start });
      }),
    );
    assert.equal(await removeLooseFiles(files, later(DAY), running), 3);
    assert.deepEqual(await Promise.all(made.map(isThere)), [false, false, false]);
    assert.deepEqual(await looseKeys(), []);
  });

  test('removes more than one batch', async () => {
    const rows = Array.from({ length: 450 }, (_, index) => `${organization_id}/jobs/n${index}`);
    await database.withConnection(organization_id, ({ query }) =>
      query('INSERT INTO loose_files SELECT $1, key, $3, false, $3 FROM unnest($2::text[]) AS key', [
        organization_id,
        rows,
        start.toISOString(),
      ]),
    );
    assert.equal(await removeLooseFiles(files, start, running), 450);
  });
});

describe('the file of a job', () => {
  async function made(now = start): Promise<{ job_id: string; file: JobFile }> {
    const job = await step((work) => createJob(work, { kind: 'crm.export', scope: '*', unit: null }), now);
    const { storage_key, size, sha256 } = await stored('a,b\n', now);
    await step(async (work) => {
      const name = { file_name: '顧客.csv', media_type: 'text/csv' };
      await keepJobFile(work, job.id, { storage_key, size, sha256, ...name });
      await succeedJob(work, job.id, {});
    }, now);
    return { job_id: job.id, file: await step((work) => jobFile(work, job.id)) };
  }

  test('is kept for 7 days, and then gone with its bytes', async () => {
    const { job_id, file } = await made();
    assert.equal(await releaseOldJobFiles(database, later(7 * DAY), running), 0);
    assert.ok(await isThere(file));
    assert.equal(await releaseOldJobFiles(database, later(7 * DAY + 1), running), 1);
    await assert.rejects(
      step((work) => jobFile(work, job_id)),
      (error) => error instanceof Failure && error.code === 'not_found',
    );
    assert.equal(await removeLooseFiles(files, later(7 * DAY + 1), running), 1);
    assert.ok(!(await isThere(file)));
    assert.equal(await releaseOldJobFiles(database, later(30 * DAY), running), 0);
  });

  test('of a younger job stays when older ones go', async () => {
    const old = await made();
    const young = await made(later(DAY));
    await releaseOldJobFiles(database, later(7 * DAY + HOUR), running);
    await removeLooseFiles(files, later(7 * DAY + HOUR), running);
    assert.deepEqual([await isThere(old.file), await isThere(young.file)], [false, true]);
  });
});
