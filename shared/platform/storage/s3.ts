import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Failure } from '../../kernel/failure.ts';
import { systemReason } from '../../kernel/startup-error.ts';
import { abandonBody, type Body } from './body.ts';
import { requireKey } from './key.ts';
import { Meter } from './measure.ts';
import { OutgoingObject } from './outgoing-object.ts';
import { refusalsOfStore } from './refusals.ts';
import { type Bucket, putObject, putWhole } from './s3-multipart.ts';
import { appendPiece, finishPieces, receivedPieces, removePieces } from './s3-pieces.ts';
import { signedUrl } from './s3-signed-url.ts';
import {
  type ByteRange,
  PieceMisplaced,
  type Storage,
  StoredFileMissing,
  type WriteOptions,
  type Written,
} from './storage.ts';

/** Milliseconds without a byte after which a store that takes a file is given up: three tries fit into a minute. */
const SILENCE = 15_000;

/** The same for a store that gives one: it is silent for as long as the reader of the file takes nothing. */
const PATIENCE = 10 * 60_000;

/** Each download holds a connection for as long as its reader takes. */
const AGENT = { keepAlive: true, maxSockets: 200 };

/**
 * Files in an S3 store, as STORAGE_URL names it: `s3://KEY:SECRET@host:port/bucket?region=...` for any store (with
 * `tls=false` over plain HTTP), or `s3://bucket` for Amazon's, with credentials as its own tools find them.
 */
export function s3Storage(url: string): Storage {
  const { bucket, config } = readStorageUrl(url);
  const connections = { connectionTimeout: 5_000, httpAgent: AGENT, httpsAgent: AGENT };
  const client = new S3Client({ ...config, requestHandler: { ...connections, socketTimeout: SILENCE } });
  const reader = new S3Client({ ...config, requestHandler: { ...connections, socketTimeout: PATIENCE } });
  const to = { client, bucket };
  return {
    write: (key, body, options) => write(to, requireKey(key), body, options),
    put: (key, bytes) => answering(put(to, requireKey(key), bytes)),
    is_near: false,
    read: (key, range) => read(reader, bucket, requireKey(key), range),
    async outgoing(key, { start, length, is_whole }) {
      const range = is_whole ? undefined : { start, end: start + length - 1 };
      return new OutgoingObject(await read(reader, bucket, requireKey(key), range));
    },
    signedUrl: (key, file) => answering(signedUrl(to, requireKey(key), file)),
    stat: (key) => answering(statOf(to, requireKey(key))),
    async remove(key) {
      await removePieces(to, requireKey(key));
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    check: () => check(client, bucket),
    received: (key) => answering(receivedPieces(to, requireKey(key))),
    append: (key, at, body, options) => answering(appendPiece(to, requireKey(key), at, body, options)),
    async finish(key, size) {
      const stored = async () => (await statOf(to, requireKey(key)))?.size ?? null;
      if (!(await answering(finishPieces(to, requireKey(key), size, stored))))
        throw new StoredFileMissing(key);
    },
  };
}

/** Whatever goes wrong with the store itself is that it is not available. */
async function answering<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof PieceMisplaced ? error : unavailable(error);
  }
}

async function statOf({ client, bucket }: Bucket, key: string): Promise<{ size: number } | null> {
  try {
    const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return { size: ContentLength! };
  } catch (error) {
    // The answer to HEAD has no body, so its status is all that it tells; 403 is what may not be listed.
    const { httpStatusCode } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
    if (httpStatusCode === 404 || httpStatusCode === 403) return null;
    throw error;
  }
}

/** The parts of STORAGE_URL. */
export function readStorageUrl(text: string): { bucket: string; config: S3ClientConfig } {
  const url = new URL(text);
  const region = url.searchParams.get('region');
  const [path = ''] = url.pathname.slice(1).split('/');
  const common: S3ClientConfig = {
    ...(region && { region }),
    maxAttempts: 3,
    // Other stores than Amazon's do not all know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
  if (path === '') return { bucket: url.hostname, config: common };
  const scheme = url.searchParams.get('tls') === 'false' ? 'http' : 'https';
  const accessKeyId = decodeURIComponent(url.username);
  const secretAccessKey = decodeURIComponent(url.password);
  return {
    bucket: decodeURIComponent(path),
    config: {
      ...common,
      region: region ?? 'us-east-1',
      endpoint: `${scheme}://${url.host}`,
      forcePathStyle: true,
      ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey } }),
    },
  };
}

/** Milliseconds that a look at the store may take. */
const LOOK = 8_000;

/** No file has this key: those of organizations begin with their ID. */
const NOTHING = 'readiness/nothing';

/**
 * Asks for an object that is not there: the answer to HEAD has no body, so it could not tell a missing bucket from
 * wrong credentials. Credentials that may not list the bucket are refused for what is missing (AccessDenied), and serve.
 */
async function check(client: S3Client, bucket: string): Promise<void> {
  const abortSignal = AbortSignal.timeout(LOOK);
  try {
    await client.send(new GetObjectCommand({ Bucket: bucket, Key: NOTHING }), { abortSignal });
  } catch (error) {
    const { name } = error as Error;
    if (name === 'NoSuchKey' || name === 'AccessDenied') return;
    if (abortSignal.aborted) throw new Error(`no answer within ${LOOK / 1000} s`, { cause: error });
    if (name === 'NoSuchBucket') throw new Error(`the bucket ${bucket} does not exist`, { cause: error });
    throw error;
  }
}

/** What the body broke with or `accept` threw is told as it is; all else is the store's. */
async function write(to: Bucket, key: string, body: Body, { limit, accept }: WriteOptions): Promise<Written> {
  const meter = new Meter(limit);
  let refusal: { error: unknown } | null = null;
  async function* measured(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body) {
        meter.add(chunk);
        yield chunk;
      }
    } catch (error) {
      refusal = { error };
      throw error;
    }
  }
  let written: Written | null = null;
  const accepting = () => {
    written = meter.written();
    try {
      accept?.(written);
    } catch (error) {
      refusal = { error };
      throw error;
    }
  };
  try {
    await putObject(to, key, measured(), accepting);
    await requireStored(to, key, written!.size);
    return written!;
  } catch (error) {
    abandonBody(body);
    throw refusal ? (refusal as { error: unknown }).error : unavailable(error);
  }
}

async function put(to: Bucket, key: string, bytes: Buffer): Promise<void> {
  await putWhole(to, key, bytes);
  await requireStored(to, key, bytes.length);
}

/** A store that has fewer bytes than it took has nothing of the file any more. */
async function requireStored(to: Bucket, key: string, size: number): Promise<void> {
  const stored = await statOf(to, key);
  if (stored?.size === size) return;
  await to.client.send(new DeleteObjectCommand({ Bucket: to.bucket, Key: key }));
  throw new Error(`the store has ${stored?.size ?? 'none'} of ${size} bytes`);
}

async function read(client: S3Client, bucket: string, key: string, range?: ByteRange): Promise<Readable> {
  const asked = range && { Range: `bytes=${range.start}-${range.end ?? ''}` };
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...asked }));
    return Body as Readable;
  } catch (error) {
    if ((error as Error).name === 'NoSuchKey') throw new StoredFileMissing(key);
    throw unavailable(error);
  }
}

function unavailable(cause: unknown): Failure {
  return new Failure('unavailable', {
    detail: { en: 'The file storage is unavailable', ja: 'ファイルの保存先を利用できません' },
    headers: { 'Retry-After': '60' },
    cause,
    trouble: {
      kind: 'storage',
      sentence: refusalsOfStore.answers_wrongly(systemReason(cause)).en,
    },
  });
}
