import { GetObjectCommand } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Bucket } from './s3-pieces.ts';
import type { SignedFile } from './storage.ts';

/**
 * A URL that gives the object to whoever has it, for that many seconds, as a file to be saved. The client builds the
 * request, so that it is the one that `read` sends; it is signed in place of being sent.
 */
export async function signedUrl(
  { client, bucket }: Bucket,
  key: string,
  { disposition, media_type, seconds }: SignedFile,
): Promise<string> {
  const { region, credentials, sha256 } = client.config;
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false });
  const { promise: signed, resolve } = Promise.withResolvers<Signed>();
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ResponseContentDisposition: disposition,
    ResponseContentType: media_type,
  });
  command.middlewareStack.add(
    () => async (args) => {
      const request = args.request as Parameters<typeof signer.presign>[0];
      resolve(await signer.presign(request, { expiresIn: seconds }));
      return { response: {}, output: { $metadata: {} } };
    },
    { step: 'build', priority: 'low', name: 'signInPlaceOfSending' },
  );
  await client.send(command);
  return addressOf(await signed);
}

type Signed = Awaited<ReturnType<SignatureV4['presign']>>;

function addressOf({ protocol, hostname, port, path, query = {} }: Signed): string {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`);
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? ''].flat()) url.searchParams.append(name, one);
  }
  // A space is %20 in what was signed.
  url.search = url.search.replaceAll('+', '%20');
  return url.href;
}
