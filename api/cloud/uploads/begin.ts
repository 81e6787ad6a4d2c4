import { createUpload } from '../../../shared/cloud/uploads/create.ts';
import { uploadMetadata } from '../../../shared/cloud/uploads/metadata.ts';
import type { UploadRow } from '../../../shared/cloud/uploads/record.ts';
import type { Writer } from '../../../shared/cloud/uploads/turns.ts';
import { newStorageKey } from '../../../shared/platform/storage/loose-files.ts';
import type { Transfer } from '../../http/files/declarations.ts';
import { inTurn } from './receive.ts';
import { inUpload, newWriter, turnAt } from './turn.ts';
import { lengthOf, requireFit } from './tus.ts';

/**
 * Makes an upload of what the headers say, and adds the bytes that came with them. Errors: `validation_failed`,
 * `body_too_large`, those of `createUpload` and `inTurn`.
 */
export async function beginUpload(transfer: Transfer): Promise<UploadRow> {
  const { context, caller, heard, body } = transfer;
  const { organization_id, now } = caller;
  const size_bytes = lengthOf(transfer);
  const upload_metadata = heard['Upload-Metadata'] || null;
  const asked = uploadMetadata(upload_metadata ?? '');
  requireFit(transfer, 0, size_bytes);
  const key = await newStorageKey(context, { organization_id, area: 'uploads', now });
  const upload = { ...asked, storage_key: key, size_bytes, upload_metadata };
  const create = (signed: Writer | null) =>
    inUpload(transfer, (work) => createUpload(work, upload, signed, context.settings.cloudQuotaBytes));
  if (size_bytes > 0 && body!.length === 0) return create(null);
  const { signed, presence } = await newWriter(transfer);
  const row = await create(signed);
  const { id } = row;
  const turn = turnAt(transfer, { id, signed, presence, watch: context.notices.watch(id) });
  return inTurn(transfer, row, turn, 0);
}
