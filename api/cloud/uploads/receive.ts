import type { Hash } from 'node:crypto';
import { arrivedBytes } from '../../../shared/cloud/uploads/arrived.ts';
import { isOwn, ownUpload, requireGoing } from '../../../shared/cloud/uploads/queries.ts';
import type { UploadRow } from '../../../shared/cloud/uploads/record.ts';
import { LIFETIME } from '../../../shared/cloud/uploads/turns.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import { PieceMisplaced } from '../../../shared/platform/storage/storage.ts';
import type { Transfer } from '../../http/files/declarations.ts';
import type { Steps } from '../../http/steps.ts';
import { finishUpload, leaveToWorker } from './finish.ts';
import { type Turn, takeTurn } from './turn.ts';
import { requireFit } from './tus.ts';
import { untilOver } from './until-over.ts';

/**
 * How far an upload of the caller's has come. An older request that adds to it is ended, and its bytes count; of an upload
 * whose process was killed the store says it. Errors: `not_found`, `expired`, `upload_locked`, that with which it has failed.
 */
export async function lookAtUpload(steps: Steps, id: string): Promise<UploadRow> {
  const seen = await steps.read((reader) => ownUpload(reader, id));
  const { now } = steps.caller;
  requireGoing(seen, now);
  const isKnown = seen.writer === null && seen.received_bytes < seen.size_bytes;
  if (seen.status !== 'receiving' || isKnown) return seen;
  const { row, turn } = await takeTurn(steps, id, (found) => isOwn(steps.caller, found));
  if (!turn) return requireGoing(row, now);
  try {
    if (row.received_bytes === row.size_bytes) return await leaveToWorker(steps, row, turn);
    await turn.giveBack(row.received_bytes);
    return row;
  } catch (error) {
    await turn.giveBack(row.received_bytes).catch(() => undefined);
    throw error;
  }
}

/** Adds a piece to an upload of the caller's, and answers what has become of it. Errors: those of `inTurn`. */
export async function receivePiece(transfer: Transfer, id: string, at: number): Promise<UploadRow> {
  const { caller } = transfer;
  const { row, turn } = await takeTurn(transfer, id, (found) => isOwn(caller, found));
  if (turn) return inTurn(transfer, row, turn, at);
  requireOffset(requireGoing(row, caller.now), at);
  return row;
}

/**
 * Adds the piece in its turn, which ends with it. What came before the line broke counts. Errors: those of the body,
 * `expired`, `offset_mismatch`, `body_too_large`, `upload_locked` where another request took over, `unavailable`, those of
 * `finishUpload`.
 */
export async function inTurn(transfer: Transfer, row: UploadRow, turn: Turn, at: number): Promise<UploadRow> {
  const { running_hashes, now, storage } = transfer.context;
  let received: number | null = row.received_bytes;
  try {
    requireGoing(row, transfer.caller.now);
    requireOffset(row, at);
    requireFit(transfer, at, row.size_bytes);
    const hash = running_hashes.take(row.id, at);
    if (at < row.size_bytes && transfer.body?.length !== 0) {
      received = null;
      const piece = await append(transfer, row, turn, hash);
      received = piece.received;
      if (hash && (piece.broken || received < row.size_bytes)) running_hashes.keep(row.id, received, hash);
      if (piece.broken) throw piece.broken;
    }
    const arrived = { ...row, received_bytes: received };
    if (received === row.size_bytes) return await finishUpload(transfer, arrived, turn, hash);
    await turn.giveBack(received);
    if (received === at) return arrived;
    return { ...arrived, expires_at: new Date(now().getTime() + LIFETIME).toISOString() };
  } catch (error) {
    received ??= await arrivedBytes(storage, row).catch(() => null);
    // What cannot be given back now is when somebody asks for it.
    await turn.giveBack(received).catch(() => undefined);
    throw error instanceof PieceMisplaced ? misplaced(received ?? error.received) : error;
  }
}

function append({ context, body }: Transfer, row: UploadRow, { over }: Turn, hash: Hash | null) {
  const { storage_key, received_bytes, size_bytes } = row;
  const options = { limit: size_bytes, ...(hash && { hash }) };
  return context.storage.append(storage_key!, received_bytes, untilOver(body!.bytes, over), options);
}

/** Errors: `offset_mismatch`. */
function requireOffset({ received_bytes }: UploadRow, at: number): void {
  if (received_bytes !== at) throw misplaced(received_bytes);
}

function misplaced(offset: number): Failure {
  return new Failure('offset_mismatch', {
    detail: {
      en: `${offset} bytes have arrived; the next piece begins there`,
      ja: `${offset}バイトまで届いています。次はその位置から送信してください`,
    },
    headers: { 'Upload-Offset': String(offset) },
    members: { offset },
  });
}
