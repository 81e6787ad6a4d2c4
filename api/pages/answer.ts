import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';
import { isFresh } from '../http/etag.ts';
import type { Request } from '../http/request.ts';
import { pagePolicy } from './policy.ts';

const zip = promisify(gzip);

/** A text that is the same for everybody, with its ETag; its compressed form is made when first asked for. */
export type FixedText = {
  type: string;
  text: string;
  etag: string;
  cache: string;
  zipped: () => Promise<Buffer>;
};

/** Prepares a text for serving. `cache` is its Cache-Control: looked at again each time unless said. */
export function fixedText(type: string, text: string, cache = 'no-cache'): FixedText {
  const etag = `"${hash('sha1', text, 'base64url')}"`;
  let zipped: Promise<Buffer> | undefined;
  return {
    type,
    text,
    etag,
    cache,
    zipped() {
      zipped ??= zip(text);
      return zipped;
    },
  };
}

/** Answers it: 304 for who has it already, compressed for who can read that. */
export async function sendText(context: Context, fixed: FixedText): Promise<void> {
  context.type = fixed.type;
  context.set('ETag', fixed.etag);
  context.set('Cache-Control', fixed.cache);
  context.vary('Accept-Encoding');
  if (isFresh(context as unknown as Request, fixed.etag)) {
    context.status = 304;
    return;
  }
  context.status = 200;
  if (context.acceptsEncodings('gzip', 'identity') === 'gzip') {
    context.set('Content-Encoding', 'gzip');
    context.body = await fixed.zipped();
  } else {
    context.body = fixed.text;
  }
}

/** Answers a page under the policy of all pages. */
export function sendPage(context: Context, fixed: FixedText, policy = pagePolicy()): Promise<void> {
  context.set('Content-Security-Policy', policy);
  return sendText(context, fixed);
}
