import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import {
  hasVersion,
  type KeptContent,
  versionCount,
  versionsAfter,
} from '../../shared/cloud/verify/operations.ts';
import { reasonOf } from '../../shared/kernel/reason.ts';
import { type Readings, readings } from '../../shared/platform/intake/store-away.ts';
import { scanUnscanned } from '../../shared/platform/intake/verify.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { type Storage, StoredFileMissing } from '../../shared/platform/storage/storage.ts';
import type { Delivery, Handler } from '../kernel/handler.ts';

/** Versions between two looks at the job. */
const SLICE = 100;

/** Versions that the result names. */
const MOST_BAD = 1_000;

/** `scans`: whether there is a scanner. */
export type VerifyOptions = { storage: Storage; scans: boolean };

type Reason = 'file_missing' | 'file_changed' | 'file_unreadable';
type Bad = { version_id: string; file_id: string; reason: Reason };

/** What is wrong with a content; `error`: why it cannot be read. */
type Verdict = { reason: Reason; error?: unknown };

/**
 * Reads every version again, and has those scanned that arrived while there was no scanner. Another try begins anew;
 * contents that several versions share are read once in a slice. One that cannot be read does not keep the others from being
 * read, but a store that is away fails the try.
 */
export function verifyFiles({ storage, scans }: VerifyOptions): Handler<{ job_id: string }> {
  return async ({ job_id }, { part, settle, draining, log }) => {
    const whole = readings(storage);
    const bad: Bad[] = [];
    let bad_count = 0;
    let checked = 0;
    let after = '';
    let total = 0;
    let isOpen = false;
    await part(async (work) => {
      isOpen = await startJob(work, job_id);
      total = await versionCount(work);
    });
    while (isOpen) {
      draining.throwIfAborted();
      let slice: KeptContent[] = [];
      await part(async (work) => {
        slice = await versionsAfter(work, after, SLICE);
        const keys = [...new Set(slice.map(({ storage_key }) => storage_key))].sort();
        if (scans && keys.length > 0) scanUnscanned(work, keys);
        isOpen = await progressJob(work, job_id, { done: checked, total: Math.max(total, checked) });
      });
      if (slice.length === 0 || !isOpen) break;
      const verdicts = new Map<string, Promise<Verdict | null>>();
      for (const version of slice) {
        const { id: version_id, file_id, storage_key } = version;
        const verdict = verdicts.get(storage_key) ?? verdictOn(storage, version, whole);
        verdicts.set(storage_key, verdict);
        const found = await verdict;
        if (!found || !(await isStillThere(version_id, part))) continue;
        const { reason, error } = found;
        bad_count += 1;
        if (bad.length === MOST_BAD) continue;
        bad.push({ version_id, file_id, reason });
        if (error) log.warn({ version_id, storage_key, reason: reasonOf(error) }, 'A file cannot be read');
      }
      checked += slice.length;
      after = slice.at(-1)!.id;
    }
    if (!isOpen) return;
    await settle(async (work) => {
      await succeedJob(work, job_id, { checked, bad_count, bad });
    });
  };
}

/** Bytes go after the version that names them: one that was deleted since the slice was read misses nothing. */
async function isStillThere(id: string, part: Delivery['part']): Promise<boolean> {
  let isThere = false;
  await part(async (work) => {
    isThere = await hasVersion(work, id);
  });
  return isThere;
}

async function verdictOn(
  storage: Storage,
  { storage_key, size_bytes, sha256 }: KeptContent,
  whole: Readings,
): Promise<Verdict | null> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    await pipeline(await storage.read(storage_key), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
      }
    });
  } catch (error) {
    if (!(error instanceof StoredFileMissing)) {
      await whole.refused();
      return { reason: 'file_unreadable', error };
    }
    whole.answered();
    return { reason: 'file_missing' };
  }
  whole.answered();
  return size === size_bytes && hash.digest('hex') === sha256 ? null : { reason: 'file_changed' };
}
