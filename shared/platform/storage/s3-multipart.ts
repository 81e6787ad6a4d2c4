import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { blocksOf } from './blocks.ts';

/** A bucket, through a client. */
export type Bucket = { client: S3Client; bucket: string };

/** S3 takes 10,000 parts of an upload, each but the last of 5 MiB at least. */
export const PART_SIZE = 8 * 1024 * 1024;

const CONTENT_TYPE = 'application/octet-stream';

/**
 * Puts a body of unknown length under a key: in one request where it is short, else in parts. One part is in memory,
 * whatever the body's length. The object is there after the last part, or not at all. `accept` is asked before that.
 */
export async function putObject(
  to: Bucket,
  key: string,
  body: AsyncIterable<Buffer>,
  accept: () => void,
): Promise<void> {
  let upload_id: string | null = null;
  const etags: string[] = [];
  let tail: Buffer = Buffer.alloc(0);
  try {
    for await (const block of blocksOf(body, { size: PART_SIZE, buffers: 1 })) {
      if (block.length < PART_SIZE) {
        tail = block;
        continue;
      }
      upload_id ??= await beginUpload(to, key);
      etags.push(await sendPart(to, { key, upload_id, number: etags.length + 1, block }));
    }
    accept();
    if (upload_id === null) return await putWhole(to, key, tail);
    const number = etags.length + 1;
    if (tail.length > 0) etags.push(await sendPart(to, { key, upload_id, number, block: tail }));
    await completeUpload(to, { key, upload_id, etags });
  } catch (error) {
    if (upload_id !== null) await abortUpload(to, key, upload_id).catch(() => undefined);
    throw error;
  }
}

/** Puts a short object by one request. */
export async function putWhole({ client, bucket }: Bucket, key: string, Body: Buffer): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body, ContentType: CONTENT_TYPE }));
}

export async function beginUpload({ client, bucket }: Bucket, key: string): Promise<string> {
  const upload = { Bucket: bucket, Key: key, ContentType: CONTENT_TYPE };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload));
  return UploadId!;
}

type Part = { key: string; upload_id: string; number: number; block: Buffer };

export async function sendPart(
  { client, bucket }: Bucket,
  { key, upload_id, number, block }: Part,
): Promise<string> {
  const upload = { Bucket: bucket, Key: key, UploadId: upload_id, PartNumber: number };
  const { ETag } = await client.send(new UploadPartCommand({ ...upload, Body: block }));
  return ETag!;
}

/** Makes the object of its parts. */
export async function completeUpload(
  { client, bucket }: Bucket,
  { key, upload_id, etags }: { key: string; upload_id: string; etags: readonly string[] },
): Promise<void> {
  const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
  const upload = { Bucket: bucket, Key: key, UploadId: upload_id };
  await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
}

/** An upload that is over already is no error, and there are stores that know no abort: their parts are their own matter. */
export async function abortUpload({ client, bucket }: Bucket, key: string, UploadId: string): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId }));
  } catch (error) {
    if (!['NoSuchUpload', 'MethodNotAllowed', 'NotImplemented'].includes((error as Error).name)) throw error;
  }
}
