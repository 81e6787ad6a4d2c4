import { makerOf } from '../../platform/readers/reader.ts';

/** The size of a picture. */
export type Pixels = { width: number; height: number };

/** Pixels that a picture may have to be printed: the largest of telephones have 48 million. */
export const MOST_PIXELS = 50_000_000;

/** Decodes HEIC to four bytes a pixel: red, green, blue, and how opaque it is. */
export const decodeHeic = makerOf<null, Pixels>({
  module: new URL('reading/heic.ts', import.meta.url),
  time_limit: 60_000,
  most_memory: 1_024,
  most_answer: MOST_PIXELS * 4 + 1_024,
});
