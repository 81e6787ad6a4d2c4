/**
 * Makes one reading, a failed one too, serve all who ask while it is under way and for `milliseconds` after it has ended.
 * `clock` counts milliseconds and is never set back.
 */
export function readOnceIn<T>(
  milliseconds: number,
  read: () => Promise<T>,
  clock: () => number = () => performance.now(),
): () => Promise<T> {
  let reading: { found: Promise<T>; ended_at: number | null } | undefined;
  return () => {
    if (reading?.ended_at != null && clock() - reading.ended_at >= milliseconds) reading = undefined;
    if (!reading) {
      const begun: { found: Promise<T>; ended_at: number | null } = { found: read(), ended_at: null };
      const end = () => {
        begun.ended_at = clock();
      };
      begun.found.then(end, end);
      reading = begun;
    }
    return reading.found;
  };
}
