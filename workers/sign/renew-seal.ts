import { buffer } from 'node:stream/consumers';
import { systemActor } from '../../shared/kernel/reader.ts';
import { storedDocument } from '../../shared/sign/documents/queries.ts';
import type { FileRow } from '../../shared/sign/documents/rows.ts';
import { type MadeRenewal, settleRenewal } from '../../shared/sign/sealing/operations.ts';
import {
  renewalOf,
  type StampAuthority,
  StampFailure,
  stampAuthorityOf,
  stampFile,
} from '../../shared/sign/sealing/stamping.ts';
import { type Delivery, type Handler, PermanentFailure, TryLater } from '../kernel/handler.ts';
import { type SealOptions, storeSealed } from './seal.ts';

type Options = Pick<SealOptions, 'storage' | 'settings'>;

/** Puts a new stamp over the sealed files of a document, behind the one that they have. */
export function renewSeal(options: Options): Handler<{ document_id: string }> {
  return async ({ document_id }, delivery) => {
    const authority = stampAuthorityOf(options.settings);
    if (!authority) throw new PermanentFailure('SIGN_TSA_URL is not set: stamps cannot be renewed');
    const { database, organization_id, clock } = delivery;
    const { files } = await database.withConnection(organization_id, (connection) => {
      const asking = { connection, organization_id, actor: systemActor, now: clock() };
      return storedDocument({ ...asking, request_id: null, ip_address: null }, document_id);
    });
    const sealed = files.filter(({ kind }) => kind === 'signed' || kind === 'certificate');
    try {
      const made = await renewed(options, authority, sealed, delivery);
      await delivery.settle((work) => settleRenewal(work, document_id, made));
    } catch (error) {
      throw error instanceof StampFailure
        ? new TryLater('The stamp was not renewed', { cause: error })
        : error;
    }
  };
}

async function renewed(
  { storage }: Options,
  authority: StampAuthority,
  sealed: readonly FileRow[],
  delivery: Delivery,
): Promise<MadeRenewal> {
  const version = Math.max(...sealed.map((file) => file.version)) + 1;
  const made = await Promise.all(
    sealed.map(async (row) => {
      const file = await buffer(await storage.read(row.storage_key));
      const field = `Seal_${row.document_id}_stamp_${version}`;
      const { bytes, stamp } = await stampFile(authority, { file, field, certificates: [] }, delivery.signal);
      const { file_name, page_count, seal_digest } = row;
      const kind = row.kind as 'signed' | 'certificate';
      const one = { bytes, kind, file_name, page_count, digest: seal_digest! };
      return { stored: await storeSealed(storage, one, delivery), stamp };
    }),
  );
  const [{ stamp }] = made as [(typeof made)[number]];
  const files = made.map(({ stored }) => stored);
  return { files, timestamp_at: stamp.stamped_at, renew_at: renewalOf(stamp), version };
}
