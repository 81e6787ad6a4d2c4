import { Failure } from '../../kernel/failure.ts';
import { type Gate, gateOf } from '../../platform/readers/gate.ts';

/** Lets so many verify stored documents at a time, each of which has all its files in memory; the others wait. */
export const storedGate: Gate = gateOf(2);

/** Files that one process verifies at a time: whoever sends one is not known. */
const MOST = 2;

/** Bytes of a file that anybody may have verified. */
export const MOST_VERIFIED = 64 * 1024 * 1024;

/** Bytes that all files in memory may have, those that are still on their way too: as many as the largest of so many. */
const MOST_BYTES = MOST * MOST_VERIFIED;

let taken = 0;
let held = 0;

/**
 * Does the work on a file that has come, as one of so many at a time. A sender takes no place before that, however slowly they send.
 * Errors: `unavailable` where all are taken.
 */
export async function inCheckPlace<Found>(run: () => Promise<Found>): Promise<Found> {
  if (taken >= MOST) throw busy();
  taken += 1;
  try {
    return await run();
  } finally {
    taken -= 1;
  }
}

/** What a file that is to be verified holds of the memory. */
export type Arrival = {
  /** Told how many bytes have come; counts them until `leave`. Errors: `unavailable` where there is no room. */
  grow(bytes: number): void;
  leave(): void;
};

/** Begins to count a file, which holds nothing yet: what has come of a slow one is all that it keeps from others. */
export function arriving(): Arrival {
  let own = 0;
  return {
    grow(bytes) {
      if (held - own + bytes > MOST_BYTES) throw busy();
      held += bytes - own;
      own = bytes;
    },
    leave() {
      held -= own;
      own = 0;
    },
  };
}

function busy(): Failure {
  return new Failure('unavailable', {
    detail: {
      en: 'Other files are being verified; try again in a moment',
      ja: 'ほかのファイルを検証しています。少し待ってからもう一度お試しください',
    },
    headers: { 'Retry-After': '2' },
    is_expected: true,
  });
}
