import { loadedSharp, oneImageAtATime } from '../../shared/platform/images/sharp.ts';
import { ReaderFailure } from '../../shared/platform/readers/failure.ts';
import { decodeHeic, MOST_PIXELS } from '../../shared/received/files/pixels.ts';
import type { PrintedImage } from './picture-pdf.ts';

/** Of what is compressed anew: no step of it can be seen on paper. */
const JPEG = { quality: 92, chromaSubsampling: '4:4:4' } as const;

/** A picture that was decoded, or why it was not: it is `unreadable` for good, or its decoder `crashed`. */
export type PictureRead = PrintedImage | 'unreadable' | 'crashed';

/**
 * A picture as a PDF holds it: upright, in sRGB and without what was transparent. A JPEG that is all of that stays as it came,
 * and a PNG loses nothing.
 */
export async function printedImage(
  bytes: Buffer,
  content_type: string,
  signal: AbortSignal,
  decode = decodeHeic,
): Promise<PictureRead> {
  if (content_type === 'image/heic') return ofHeic(bytes, signal, decode);
  return oneImageAtATime(() => ofCommon(bytes, content_type)).catch(() => 'unreadable');
}

/** HEIC is decoded in a process of its own: its decoder is no part of the library of images. */
async function ofHeic(bytes: Buffer, signal: AbortSignal, decode: typeof decodeHeic): Promise<PictureRead> {
  try {
    const { answer, content } = await decode(null, bytes, signal);
    return await oneImageAtATime(async () => {
      const sharp = await loadedSharp();
      const image = sharp(content, { raw: { ...answer, channels: 4 } }).flatten({ background: 'white' });
      return jpegOf(await image.jpeg(JPEG).toBuffer({ resolveWithObject: true }));
    });
  } catch (error) {
    if (!(error instanceof ReaderFailure) || error.reason === 'aborted') throw error;
    return error.reason === 'crashed' ? 'crashed' : 'unreadable';
  }
}

async function ofCommon(bytes: Buffer, content_type: string): Promise<PrintedImage> {
  const sharp = await loadedSharp();
  const open = () => sharp(bytes, { failOn: 'error', limitInputPixels: MOST_PIXELS, animated: false });
  const { width, height, channels, space, orientation = 1, icc } = await open().metadata();
  const is_plain = orientation === 1 && icc === undefined && (channels === 3 || channels === 1);
  if (content_type === 'image/jpeg' && is_plain && (space === 'srgb' || space === 'b-w')) {
    // It is decoded all the same: one that breaks off would leave a page half empty.
    await open().stats();
    return { width, height, channels, filter: 'jpeg', bytes };
  }
  const upright = open().autoOrient().flatten({ background: 'white' }).toColourspace('srgb');
  if (content_type !== 'image/png')
    return jpegOf(await upright.jpeg(JPEG).toBuffer({ resolveWithObject: true }));
  const { data, info } = await upright
    .png({ compressionLevel: 9, palette: false, progressive: false })
    .toBuffer({ resolveWithObject: true });
  return { ...sizeOf(info), filter: 'png', bytes: pixelsOfPng(data) };
}

type Info = { width: number; height: number; channels: number };

function jpegOf({ data, info }: { data: Buffer; info: Info }): PrintedImage {
  return { ...sizeOf(info), filter: 'jpeg', bytes: data };
}

function sizeOf({ width, height, channels }: Info): Pick<PrintedImage, 'width' | 'height' | 'channels'> {
  return { width, height, channels: channels === 1 ? 1 : 3 };
}

/** The compressed rows of a PNG: its IDAT chunks (ISO/IEC 15948, 5.3), which a PDF reads as they are. */
function pixelsOfPng(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return Buffer.concat(parts);
}
