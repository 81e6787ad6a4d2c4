import { buffer } from 'node:stream/consumers';
import { systemActor } from '../../shared/kernel/reader.ts';
import { storedDocument } from '../../shared/sign/documents/queries.ts';
import type { FileRow } from '../../shared/sign/documents/rows.ts';
import { reasonsOfSign } from '../../shared/sign/failure-reasons.ts';
import { sha256Of, validityOf } from '../../shared/sign/pki/certificates.ts';
import type { Stamp } from '../../shared/sign/pki/stamps.ts';
import { type MadeRenewal, settleRenewal } from '../../shared/sign/sealing/operations.ts';
import {
  lastStamp,
  renewalOf,
  type StampAuthority,
  StampFailure,
  stampAuthorityOf,
  stampFile,
} from '../../shared/sign/sealing/stamping.ts';
import { type Delivery, type Handler, PermanentFailure, TryLater } from '../kernel/handler.ts';
import { type SealOptions, storeSealed } from './seal.ts';

type Options = Pick<SealOptions, 'storage' | 'settings'>;

/**
 * Puts a new stamp over the sealed files of a document, behind the one that they have. One that would hold no longer, as long as
 * the authority has no new certificate, is not kept: the sweep asks again a day later.
 */
export function renewSeal(options: Options): Handler<{ document_id: string }> {
  return async ({ document_id }, delivery) => {
    const authority = stampAuthorityOf(options.settings);
    if (!authority) throw new PermanentFailure(reasonsOfSign.no_authority().en);
    const { database, organization_id, clock } = delivery;
    const { files } = await database.withConnection(organization_id, (connection) => {
      const asking = { connection, organization_id, actor: systemActor, now: clock() };
      return storedDocument({ ...asking, request_id: null, ip_address: null }, document_id);
    });
    const sealed = files.filter(({ kind }) => kind === 'signed' || kind === 'certificate');
    try {
      const made = await renewed(options, authority, sealed, delivery);
      if (made) await delivery.settle((work) => settleRenewal(work, document_id, made));
    } catch (error) {
      throw error instanceof StampFailure
        ? new TryLater(reasonsOfSign.not_renewed().en, { cause: error })
        : error;
    }
  };
}

async function renewed(
  { storage }: Options,
  authority: StampAuthority,
  sealed: readonly FileRow[],
  delivery: Delivery,
): Promise<MadeRenewal | null> {
  const version = Math.max(...sealed.map((file) => file.version)) + 1;
  const made = await Promise.all(
    sealed.map(async (row) => {
      const file = await buffer(await storage.read(row.storage_key));
      // A stamp over anything else would make it a file that was sealed here.
      if (sha256Of(file) !== row.sha256) throw new Error(reasonsOfSign.other_file().en);
      const last = lastStamp(file);
      const field = `Seal_${row.document_id}_stamp_${version}`;
      const certificates = [last.certificate, ...last.others];
      return { row, last, ...(await stampFile(authority, { file, field, certificates }, delivery.signal)) };
    }),
  );
  if (made.every(({ last, stamp }) => endOf(stamp) <= endOf(last))) return null;
  const files = await Promise.all(
    made.map(({ row: { kind, file_name, page_count, seal_digest }, bytes }) => {
      const one = { bytes, kind: kind as 'signed' | 'certificate', file_name, page_count };
      return storeSealed(storage, { ...one, digest: seal_digest! }, delivery);
    }),
  );
  const [{ stamp }] = made as [(typeof made)[number]];
  return { files, timestamp_at: stamp.stamped_at, renew_at: renewalOf(stamp, delivery.clock()), version };
}

/** When the certificate of a stamp ends. */
function endOf({ certificate }: Stamp): Date {
  return validityOf(certificate).to;
}
