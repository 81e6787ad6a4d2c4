import { Readable } from 'node:stream';
import { Failure } from '../../shared/kernel/failure.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { ReaderFailure } from '../../shared/platform/readers/failure.ts';
import type { SealSettings } from '../../shared/platform/settings/settings.ts';
import { storeFile } from '../../shared/platform/storage/loose-files.ts';
import { type Storage, StoredFileMissing } from '../../shared/platform/storage/storage.ts';
import { reasonsOfSign } from '../../shared/sign/failure-reasons.ts';
import { reopenSealing } from '../../shared/sign/life/seal-again.ts';
import { pauseOfOutage } from '../../shared/sign/sealing/jobs.ts';
import { sealKeyOf } from '../../shared/sign/sealing/key.ts';
import { DamagedUpload, type MadeFile, makeSealed } from '../../shared/sign/sealing/making.ts';
import {
  failSeal,
  noteSealAttempt,
  type StoredSeal,
  settleSeal,
} from '../../shared/sign/sealing/operations.ts';
import { type Prepared, preparedSeal } from '../../shared/sign/sealing/preparing.ts';
import { renewalOf, StampFailure, stampAuthorityOf } from '../../shared/sign/sealing/stamping.ts';
import { type Delivery, type Handler, type Hooks, Overtaken, TryLater } from '../kernel/handler.ts';
import { CannotStart, Crashed, TooLong, TooMuchMemory } from '../pdf/render-failures.ts';
import type { Renderer } from '../pdf/renderer.ts';
import { renderCertificate } from './certificate/render.ts';

type Asked = { document_id: string; job_id: string | null };

export type SealOptions = { storage: Storage; renderer: Renderer; settings: SealSettings; base_url: string };

/** Bytes that a sealed file may have: an upload, its certificate and its images. */
const MOST_BYTES = 96 * 1024 * 1024;

/**
 * Seals a document that all have signed. Whatever dies on the way leaves nothing but files that no record names; the one
 * that settles first makes the document signed, and a second one changes nothing.
 */
export function sealDocument(options: SealOptions): Handler<Asked> {
  return async ({ document_id, job_id }, delivery) => {
    const prepared = await begin(document_id, job_id, delivery);
    if (!prepared) return delivery.settle((work) => end(work, job_id));
    try {
      const made = await make(options, prepared, delivery);
      await delivery.settle(async (work) => {
        await settleSeal(work, document_id, made);
        await end(work, job_id);
      });
    } catch (error) {
      if (error instanceof Overtaken || delivery.signal.aborted) throw error;
      const code = codeOf(error);
      const pause = code !== null && OUTAGES.has(code) ? pauseOfOutage(delivery.attempt) : null;
      const next_at = pause === null ? null : new Date(delivery.clock().getTime() + pause);
      const note = { error: code ?? 'failed', next_at };
      await delivery.part((work) => noteSealAttempt(work, document_id, note));
      throw code === null ? error : new TryLater(reasonsOfSign.not_sealed(code).en, { pause, cause: error });
    }
  };
}

/** What is no fault of the document and mends itself: the next try waits longer. */
const OUTAGES: ReadonlySet<string> = new Set(['stamp_failed', 'unavailable']);

/** What is written when the sealing is given up, and when an operator has it tried again. Staff have an action of their own. */
export const sealHooks: Hooks<Asked> = {
  gaveUp: async ({ document_id }, work) => failSeal(work, document_id),
  retried: async ({ document_id }, work) => reopenSealing(work, document_id),
};

async function begin(
  document_id: string,
  job_id: string | null,
  delivery: Delivery,
): Promise<Prepared | null> {
  if (job_id !== null) {
    await delivery.part(async (work) => {
      await startJob(work, job_id);
    });
  }
  const { database, organization_id, clock } = delivery;
  return database.withConnection(organization_id, (connection) => {
    const asking = { connection, organization_id, actor: systemActor, now: clock() };
    return preparedSeal({ ...asking, request_id: null, ip_address: null }, document_id);
  });
}

async function end(work: Parameters<typeof settleSeal>[0], job_id: string | null): Promise<void> {
  if (job_id === null) return work.nothingChanged();
  await succeedJob(work, job_id, {});
}

async function make(
  { storage, renderer, settings, base_url }: SealOptions,
  prepared: Prepared,
  delivery: Delivery,
) {
  const { signal } = delivery;
  const now = delivery.clock();
  const key = await sealKeyOf(settings, now);
  const authority = stampAuthorityOf(settings);
  const making = {
    storage,
    base_url,
    render: (certificate: Parameters<typeof renderCertificate>[1]) =>
      renderCertificate(renderer, certificate, signal),
  };
  const sealer = { key, authority, stamp_required: settings.signTsaRequired, now, signal };
  const made = await makeSealed(making, prepared, sealer);
  const files = await Promise.all(made.map((file) => storeSealed(storage, file, delivery)));
  const stamps = made.flatMap(({ stamp }) => (stamp ? [stamp] : []));
  const isStamped = stamps.length === made.length;
  return {
    files,
    key,
    sealed_at: now,
    timestamp_at: isStamped ? stamps[0]!.stamped_at : null,
    renew_at: isStamped ? renewalOf(stamps[0]!, now) : null,
  };
}

/** Stores a file under a key of its own at every try: a sweep removes what no try has kept. */
export async function storeSealed(
  storage: Storage,
  { bytes, kind, file_name, page_count, digest }: Omit<MadeFile, 'stamp'>,
  { database, organization_id, clock }: Delivery,
): Promise<StoredSeal> {
  const body = Readable.from([bytes], { objectMode: false });
  const asked = { organization_id, area: 'sign', body, limit: MOST_BYTES, now: clock() };
  const { storage_key, size, sha256 } = await storeFile({ database, storage }, asked);
  return { kind, storage_key, file_name, size_bytes: size, sha256, page_count, seal_digest: digest };
}

/** Why a try came to nothing, as the document tells it; null for what nobody expected. */
function codeOf(error: unknown): string | null {
  if (error instanceof Failure) return error.code;
  if (error instanceof StampFailure) return 'stamp_failed';
  if (error instanceof DamagedUpload || error instanceof StoredFileMissing) return 'file_damaged';
  if (error instanceof ReaderFailure) return error.word ?? 'pdf_failed';
  const isOfRenderer = [CannotStart, Crashed, TooLong, TooMuchMemory].some((kind) => error instanceof kind);
  return isOfRenderer ? 'render_failed' : null;
}
