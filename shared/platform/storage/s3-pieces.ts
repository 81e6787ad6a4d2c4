import { DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { blocksOf } from './blocks.ts';
import { pieceOf } from './piece.ts';
import {
  abortUpload,
  type Bucket,
  beginUpload,
  completeUpload,
  PART_SIZE,
  putWhole,
  sendPart,
} from './s3-multipart.ts';
import { type Piece, PieceMisplaced, type PieceOptions } from './storage.ts';

/** Parts after which the state is written down, for a process that is killed within a long piece. */
const PARTS_AT_RISK = 8;

/**
 * How far a file has come: the parts that S3 has, and the bytes behind them that are fewer than a part. It is one object
 * beside the file's key, so that one write makes a piece lasting, whatever its length, and whoever removes the key
 * finds its parts.
 */
type State = { upload_id: string | null; etags: string[]; tail: Buffer };

const NONE: State = { upload_id: null, etags: [], tail: Buffer.alloc(0) };

/** No key of a file ends so: IDs have neither. */
const stateKey = (key: string) => `${key}-pieces`;

export async function receivedPieces(to: Bucket, key: string): Promise<number> {
  return sizeOf((await readState(to, key)) ?? NONE);
}

/** Adds a piece: whole parts go to the upload as they fill, what is left goes into the state. */
export async function appendPiece(
  to: Bucket,
  key: string,
  at: number,
  body: AsyncIterable<Buffer>,
  options: PieceOptions,
): Promise<Piece> {
  const state = (await readState(to, key)) ?? NONE;
  if (sizeOf(state) !== at) throw new PieceMisplaced(key, sizeOf(state));
  const piece = pieceOf(body, at, options);
  let { upload_id, etags } = state;
  let tail: Buffer = NONE.tail;
  for await (const block of blocksOf(after(state.tail, piece.chunks), { size: PART_SIZE, buffers: 1 })) {
    if (block.length < PART_SIZE) {
      tail = block;
      break;
    }
    upload_id ??= await beginUpload(to, key);
    etags = [...etags, await sendPart(to, { key, upload_id, number: etags.length + 1, block })];
    if (etags.length % PARTS_AT_RISK === 0) await writeState(to, key, { upload_id, etags, tail });
  }
  const ended = piece.ended();
  if (ended.received > at) await writeState(to, key, { upload_id, etags, tail });
  return ended;
}

/**
 * Makes the file of the key. A process may have been killed anywhere in it: the file may be there with its state, and
 * then only the state goes. `stored` answers how many bytes the file of the key has, null where there is none.
 */
export async function finishPieces(
  to: Bucket,
  key: string,
  size: number,
  stored: () => Promise<number | null>,
): Promise<boolean> {
  const state = await readState(to, key);
  const has_come = state ? sizeOf(state) === size : size === 0;
  if ((await stored()) !== size) {
    if (!has_come) return false;
    await makeFile(to, key, state ?? NONE);
    if ((await stored()) !== size) return false;
  }
  if (state) await deleteObject(to, stateKey(key));
  return true;
}

async function makeFile(to: Bucket, key: string, { upload_id, etags, tail }: State): Promise<void> {
  if (!upload_id) {
    await putWhole(to, key, tail);
    return;
  }
  const number = etags.length + 1;
  const last = tail.length > 0 ? [await sendPart(to, { key, upload_id, number, block: tail })] : [];
  await completeUpload(to, { key, upload_id, etags: [...etags, ...last] });
}

/** Gives up what has come of a file that is not finished. */
export async function removePieces(to: Bucket, key: string): Promise<void> {
  const state = await readState(to, key);
  if (!state) return;
  if (state.upload_id) await abortUpload(to, key, state.upload_id);
  await deleteObject(to, stateKey(key));
}

async function deleteObject({ client, bucket }: Bucket, key: string): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
}

/** A line of JSON, and the tail. */
async function writeState(to: Bucket, key: string, state: State): Promise<void> {
  const { tail, ...line } = state;
  await putWhole(to, stateKey(key), Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), tail]));
}

/** Credentials that may not list the bucket are refused for what is missing. */
const MISSING = ['NoSuchKey', 'AccessDenied'];

async function readState({ client, bucket }: Bucket, key: string): Promise<State | null> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: stateKey(key) }));
    const bytes = Buffer.from(await Body!.transformToByteArray());
    const end = bytes.indexOf('\n');
    return { ...JSON.parse(bytes.toString('utf8', 0, end)), tail: bytes.subarray(end + 1) };
  } catch (error) {
    if (MISSING.includes((error as Error).name)) return null;
    throw error;
  }
}

function sizeOf({ etags, tail }: State): number {
  return etags.length * PART_SIZE + tail.length;
}

async function* after(tail: Buffer, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield tail;
  yield* chunks;
}
