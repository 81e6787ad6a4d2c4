import { todayIn } from '../../kernel/days.ts';
import type { Work } from '../../kernel/work.ts';
import { keepFile } from '../../platform/storage/loose-files.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { documentForUpdate } from '../documents/queries.ts';
import { retentionFrom } from '../documents/retention.ts';
import { type FileRow, SignFileModel, type StoredDocument } from '../documents/rows.ts';
import { mailAll } from '../mails/queue.ts';
import { pemOf, sha256Of } from '../pki/certificates.ts';
import { enqueueRedraw } from '../redrawn/jobs.ts';
import { redrawnFiles, removeRedrawn, tellOfFile } from '../redrawn/redrawn.ts';
import { addToTrail, SYSTEM } from '../trail/add.ts';
import type { SealKey } from './key.ts';

/** A sealed file that is in the store, not yet kept. */
export type StoredSeal = {
  kind: 'signed' | 'certificate';
  storage_key: string;
  file_name: string;
  size_bytes: number;
  sha256: string;
  page_count: number;
  seal_digest: string;
};

/** What sealing made of a document. */
export type MadeSeal = {
  files: StoredSeal[];
  key: Pick<SealKey, 'certificate' | 'chain'>;
  sealed_at: Date;
  timestamp_at: Date | null;
  renew_at: Date | null;
};

/** Keeps the sealed files, makes the document signed, and sends its copies. A document whose sealing has ended stays as it is. */
export async function settleSeal(work: Work, document_id: string, made: MadeSeal): Promise<void> {
  const stored = await documentForUpdate(work, document_id);
  if (!isPending(stored)) return work.nothingChanged();
  const draft = draftOf(stored);
  const { document } = draft;
  draft.files = [...stored.files, ...(await keepSealed(work, document_id, made.files, 1))];
  removeRedrawn(work, document_id, await redrawnFiles(work, document_id));
  keepCertificates(work, made.key);
  const certificate_sha256 = sha256Of(made.key.certificate);
  const ended_on = todayIn(document.time_zone, work.now);
  const level = made.timestamp_at ? 'B-LTA' : 'B-B';
  Object.assign(document, {
    status: 'signed',
    sealing_status: 'done',
    sealing_attempts: document.sealing_attempts + 1,
    sealing_error: null,
    sealing_since: null,
    sealing_next_at: null,
    signed_at: work.now.toISOString(),
    ended_on,
    retention_until: await retentionFrom(work, document.transaction_date ?? ended_on),
    seal: {
      level,
      sealed_at: made.sealed_at.toISOString(),
      certificate_sha256,
      timestamp_at: made.timestamp_at?.toISOString() ?? null,
    },
    seal_renew_at: made.renew_at?.toISOString() ?? null,
  } satisfies Partial<StoredDocument['document']>);
  addToTrail(work, document, [
    { type: 'sealed', actor: SYSTEM, data: sealedData(made.files, level, certificate_sha256) },
  ]);
  for (const signer of draft.signers) {
    if (signer.role !== 'cc' || signer.status !== 'waiting') continue;
    Object.assign(signer, { status: 'notified', notified_at: work.now.toISOString(), delivery: 'queued' });
  }
  await mailAll(work, document, [
    { kind: 'copy', to: 'sender' },
    ...draft.signers.map((to) => ({ kind: 'copy', to }) as const),
  ]);
  documentChanged(work, stored, draft, 'signed');
  tellOfFile(work, document_id);
}

/** Notes that a try to seal came to nothing, why, and when it is tried again, where that is not at once. */
export async function noteSealAttempt(
  work: Work,
  document_id: string,
  { error, next_at }: { error: string; next_at: Date | null },
): Promise<void> {
  const stored = await documentForUpdate(work, document_id);
  if (!isPending(stored)) return work.nothingChanged();
  const draft = draftOf(stored);
  draft.document.sealing_attempts += 1;
  draft.document.sealing_error = error;
  draft.document.sealing_next_at = next_at?.toISOString() ?? null;
  documentChanged(work, stored, draft);
}

/** Gives a sealing up: the sender is told, staff can have it tried again, and guests get what was signed without a seal. */
export async function failSeal(work: Work, document_id: string): Promise<void> {
  const stored = await documentForUpdate(work, document_id);
  if (!isPending(stored)) return work.nothingChanged();
  const draft = draftOf(stored);
  const { document } = draft;
  document.sealing_status = 'failed';
  document.sealing_since = null;
  document.sealing_next_at = null;
  document.sealing_error ??= 'failed';
  addToTrail(work, document, [
    { type: 'seal_failed', actor: SYSTEM, data: { error: document.sealing_error } },
  ]);
  enqueueRedraw(work, document);
  await mailAll(work, document, [{ kind: 'seal_failed', to: 'sender' }]);
  documentChanged(work, stored, draft);
}

function isPending({ document }: StoredDocument): boolean {
  return document.status === 'sent' && document.sealing_status === 'pending';
}

/** Keeps files as the present ones of their kinds; they are present in the place of earlier ones. */
export async function keepSealed(
  work: Work,
  document_id: string,
  files: readonly StoredSeal[],
  version: number,
): Promise<FileRow[]> {
  const rows = files.map(
    (file): FileRow => ({
      ...file,
      document_id,
      version,
      is_present: true,
      has_signatures: true,
      geometry: null,
      values_sha256: null,
      created_at: work.now.toISOString(),
    }),
  );
  for (const { storage_key } of files) await keepFile(work, storage_key);
  work.insertAll(SignFileModel, rows);
  return rows;
}

/** Every certificate that has sealed is known for good: verifying asks whether a seal is one of the service's. */
export function keepCertificates(
  work: Work,
  { certificate, chain }: Pick<SealKey, 'certificate' | 'chain'>,
): void {
  const text = [certificate, ...chain].map((der) => pemOf('CERTIFICATE', der)).join('');
  work.run(
    `INSERT INTO sign_seal_certificates (sha256, chain, created_at) VALUES ($1, $2, $3) ON CONFLICT (sha256) DO NOTHING`,
    [sha256Of(certificate), text, work.now.toISOString()],
  );
}

/** What a renewal made of a sealed document. */
export type MadeRenewal = { files: StoredSeal[]; timestamp_at: Date; renew_at: Date; version: number };

/**
 * Keeps renewed files as the present ones, if nobody has renewed them meanwhile; earlier versions stay, and stay valid. The
 * version is the one that follows those that were renewed.
 */
export async function settleRenewal(work: Work, document_id: string, made: MadeRenewal): Promise<void> {
  const stored = await documentForUpdate(work, document_id);
  const { seal } = stored.document;
  const present = stored.files.filter(({ kind }) => kind === 'signed' || kind === 'certificate');
  if (!seal || present.some(({ version }) => version >= made.version)) return work.nothingChanged();
  work.run(
    `UPDATE sign_files SET is_present = false
      WHERE organization_id = $1 AND document_id = $2 AND kind IN ('signed', 'certificate') AND is_present`,
    [work.organization_id, document_id],
  );
  const draft = draftOf(stored);
  const { document } = draft;
  const kept = await keepSealed(work, document_id, made.files, made.version);
  draft.files = [...stored.files.filter((file) => !present.includes(file)), ...kept];
  document.seal = { ...seal, timestamp_at: made.timestamp_at.toISOString() };
  document.seal_renew_at = made.renew_at.toISOString();
  const data = sealedData(made.files, 'B-LTA', seal.certificate_sha256);
  addToTrail(work, document, [{ type: 'renewed', actor: SYSTEM, data }]);
  documentChanged(work, stored, draft);
}

/** What the trail says of a seal, and of its renewal. */
export function sealedData(
  files: readonly Pick<StoredSeal, 'kind' | 'sha256'>[],
  level: 'B-B' | 'B-LTA',
  certificate_sha256: string,
): Record<string, unknown> {
  const hashOf = (kind: StoredSeal['kind']) => files.find((file) => file.kind === kind)?.sha256 ?? null;
  return {
    signed_sha256: hashOf('signed'),
    certificate_file_sha256: hashOf('certificate'),
    level,
    certificate_sha256,
  };
}
