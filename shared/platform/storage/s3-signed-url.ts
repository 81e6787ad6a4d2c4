import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Bucket } from './s3-multipart.ts';
import type { SignedFile } from './storage.ts';

/** A URL that gives the object to whoever has it, for that many seconds, as a file to be saved. */
export async function signedUrl(
  { client, bucket }: Bucket,
  key: string,
  { disposition, media_type, seconds }: SignedFile,
): Promise<string> {
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ResponseContentDisposition: disposition,
    ResponseContentType: media_type,
  });
  return getSignedUrl(client, command, { expiresIn: seconds });
}
