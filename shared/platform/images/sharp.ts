let loading: Promise<typeof import('sharp').default> | undefined;

/** What is decoded of images: nothing else of its many readers is reachable for what comes from outside. */
const READERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'];

/** The library of images, loaded with the first one, for it takes memory. It decodes PNG, JPEG and WebP alone. */
export function loadedSharp(): Promise<typeof import('sharp').default> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: READERS });
    return sharp;
  });
  return loading;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one after another, so that many images at a time take the memory of one. */
export function oneImageAtATime<Value>(run: () => Promise<Value>): Promise<Value> {
  const turn = last.then(run, run);
  last = turn.catch(() => undefined);
  return turn;
}
