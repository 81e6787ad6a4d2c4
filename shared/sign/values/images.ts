import { reencodeImage } from '../../invoicing/images/reencode.ts';
import { Failure } from '../../kernel/failure.ts';
import { type FieldValue, MOST_IMAGE_BYTES } from '../documents/values.ts';

/** Pixels of the longer side that are tried: the last one fits whatever the picture shows. */
const SIDES = [1_600, 1_000, 600, 300, 200];

/**
 * A value whose image is made anew from its pixels, without anything else that was in its file, and no larger than an image may
 * be; null for what is no whole image. Values of other kinds stay as they are.
 */
export async function remadeValue(value: FieldValue): Promise<FieldValue | null> {
  if (typeof value !== 'object' || value.kind !== 'image') return value;
  const sent = Buffer.from(value.data, 'base64');
  for (const longest_side of SIDES) {
    const made = await reencodeImage(sent, longest_side).catch(refusedImage);
    if (!made) return null;
    if (made.bytes.length <= MOST_IMAGE_BYTES) return { kind: 'image', data: made.bytes.toString('base64') };
  }
  throw new Error('The smallest image has more bytes than an image may have');
}

/** Null for what the sender has to put right; what is a fault of ours goes on. */
function refusedImage(error: unknown): null {
  if (error instanceof Failure) return null;
  throw error;
}
