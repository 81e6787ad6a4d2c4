import { createHash } from 'node:crypto';
import { withBulk } from '../../shared/db/bulk.ts';
import { type Reader, systemActor } from '../../shared/kernel/reader.ts';
import { headOf } from '../../shared/platform/evidence/head.ts';
import { sealEvidence } from '../../shared/platform/evidence/seal.ts';
import type { SourceOfDomain } from '../../shared/platform/evidence/source.ts';
import { type Bad, type HashFile, verifyChain, verifyRest } from '../../shared/platform/evidence/verify.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { type Storage, StoredFileMissing } from '../../shared/platform/storage/storage.ts';
import type { Handler } from '../kernel/handler.ts';

/** The server itself: the pool's statements have 30 seconds, and those of a long history take longer. */
export type VerifyOptions = { storage: Storage; database_url: string; sources: readonly SourceOfDomain[] };

/**
 * Verifies the evidence of an organization up to the head of its chain, which is sealed first. The result of the job has
 * the first flaw; a cancelled one ends before its next batch.
 */
export function verifyEvidence({
  storage,
  database_url,
  sources,
}: VerifyOptions): Handler<{ job_id: string }> {
  return async ({ job_id }, { organization_id, delivery_id, clock, part, settle, signal }) => {
    let isOpen = false;
    const found: Bad[] = [];
    let files = 0;
    await part(async (work) => {
      isOpen = await startJob(work, job_id);
    });
    if (!isOpen) return;
    await withBulk({ url: database_url, organization_id, signal }, async ({ connection }) => {
      const reader: Reader = {
        connection,
        organization_id,
        actor: systemActor,
        now: clock(),
        request_id: delivery_id,
        ip_address: null,
      };
      await sealEvidence(connection, organization_id);
      const head = await headOf(reader);
      const chain = verifyChain(reader, { sources, head, hashFile: hashOfFile(storage, signal) });
      for await (const { bad, files: count, done } of chain) {
        found.push(...bad.slice(0, 1 - Math.min(1, found.length)));
        files += count;
        await part(async (work) => {
          isOpen = await progressJob(work, job_id, { done, total: head?.sequence ?? 0 });
        });
        if (!isOpen) return;
      }
      const rest = await verifyRest(reader, sources);
      const first_bad = [...found, ...rest.bad][0] ?? null;
      await settle(async (work) => {
        await succeedJob(work, job_id, {
          ok: first_bad === null,
          entries: head?.sequence ?? 0,
          unsealed: rest.unsealed,
          files,
          first_bad,
          head,
        });
      });
    });
  };
}

/** Reads files through, none of them whole. */
function hashOfFile(storage: Storage, signal: AbortSignal): HashFile {
  return async (storage_key) => {
    const hash = createHash('sha256');
    try {
      for await (const chunk of await storage.read(storage_key)) {
        signal.throwIfAborted();
        hash.update(chunk as Uint8Array);
      }
    } catch (error) {
      if (error instanceof StoredFileMissing) return null;
      throw error;
    }
    return hash.digest('hex');
  };
}
