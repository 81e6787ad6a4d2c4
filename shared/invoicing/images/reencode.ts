import type { ResizeOptions, Sharp } from 'sharp';
import { Failure, invalid } from '../../kernel/failure.ts';
import { loadedSharp, oneImageAtATime } from '../../platform/images/sharp.ts';
import { contentKindOf, contentKinds } from '../../platform/intake/content-kind.ts';
import type { RemadeImage } from '../../platform/storage/stored-file.ts';

/** Pixels that an image may have; what claims more is not decoded. */
const MOST_PIXELS = 16_000_000;

/** Pixels that the longer side keeps: 60 mm at 600 dots an inch and more, and every PDF carries them. */
const LONGEST_SIDE = 1_600;

/** Seconds that one image may take. */
const PATIENCE = 25;

/**
 * Makes a PNG or JPEG anew from its pixels: upright, in sRGB, still, and without anything else that was in the file
 * (places, names, scripts, a second file at its end), its longer side at most so many pixels. Its header tells the size before anything is decoded, and
 * decoding takes a thread of its own, one image at a time. Errors: `unsupported_media_type`; `validation_failed` at `/file` for
 * a broken image and for one of more than 16 megapixels.
 */
export async function reencodeImage(bytes: Buffer, longest_side = LONGEST_SIDE): Promise<RemadeImage> {
  const format = contentKindOf(bytes);
  if (format !== 'png' && format !== 'jpeg') {
    throw new Failure('unsupported_media_type', {
      detail: {
        en: 'The file must be a PNG or a JPEG image',
        ja: 'ファイルはPNGまたはJPEGの画像にしてください',
      },
    });
  }
  return oneImageAtATime(async () => {
    const sharp = await loadedSharp();
    const { width, height } = await orBroken(sharp(bytes, { limitInputPixels: false }).metadata());
    if (width * height > MOST_PIXELS) {
      throw invalid('/file', 'too_many_pixels', {
        en: `file has ${width} x ${height} pixels, more than 16,000,000`,
        ja: `file の画像は${width}×${height}画素で、16,000,000画素を超えています`,
      });
    }
    const whole = sharp(bytes, { failOn: 'error', limitInputPixels: MOST_PIXELS, animated: false });
    const upright = whole
      .timeout({ seconds: PATIENCE })
      .autoOrient()
      .resize(within(longest_side))
      .toColourspace('srgb');
    const made = written(upright, format).toBuffer({ resolveWithObject: true });
    const { data, info } = await orBroken(made);
    return { bytes: data, media_type: contentKinds[format], width: info.width, height: info.height };
  });
}

function within(longest_side: number): ResizeOptions {
  return { width: longest_side, height: longest_side, fit: 'inside', withoutEnlargement: true };
}

function written(image: Sharp, format: 'png' | 'jpeg'): Sharp {
  return format === 'png' ? image.png() : image.jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
}

async function orBroken<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (cause) {
    throw Object.assign(
      invalid('/file', 'broken_image', { en: 'file is not a whole image', ja: 'file の画像が壊れています' }),
      { cause },
    );
  }
}
