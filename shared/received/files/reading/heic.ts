import { createRequire } from 'node:module';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { Made } from '../../../platform/readers/made.ts';
import { MOST_PIXELS, type Pixels } from '../pixels.ts';

/** What is used of a picture in a file. `display` fills the pixels that it is given, four bytes each, and answers null on failure. */
type HeifImage = {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  display(into: Decoded, done: (decoded: Decoded | null) => void): void;
};

type Decoded = { data: Uint8ClampedArray; width: number; height: number };

/** libheif with a decoder of HEVC, as WebAssembly that stands in its own source. */
const { HeifDecoder } = createRequire(import.meta.url)('libheif-js/wasm-bundle') as {
  HeifDecoder: new () => { decode(content: Uint8Array): HeifImage[] };
};

/** The pixels of a HEIC picture, upright, in the process of a reader. Refuses `damaged` and `too_large`. */
export async function read(_question: null, content: Buffer): Promise<Made<Pixels>> {
  const images = new HeifDecoder().decode(content);
  const image = images.find((each) => each.is_primary()) ?? images[0];
  if (!image) throw new UnreadableFile('damaged');
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > MOST_PIXELS) throw new UnreadableFile('too_large');
  const into = { data: new Uint8ClampedArray(width * height * 4), width, height };
  const decoded = await new Promise<Decoded | null>((done) => image.display(into, done));
  if (!decoded) throw new UnreadableFile('damaged');
  return new Made({ width, height }, decoded.data as unknown as Uint8Array);
}
