import { Failure } from '../../kernel/failure.ts';
import { type Gate, gateOf } from '../../platform/readers/gate.ts';

/** Lets so many verify stored documents at a time, each of which has all its files in memory; the others wait. */
export const storedGate: Gate = gateOf(2);

/** A place among those who verify a file at the moment. */
export type CheckPlace = { leave(): void };

/** Files that one process verifies at a time: whoever sends one is not known. */
const MOST = 2;

let taken = 0;

/** Takes a place, before the file is read. Errors: `unavailable` where all are taken. */
export function takeCheckPlace(): CheckPlace {
  if (taken >= MOST) {
    throw new Failure('unavailable', {
      detail: {
        en: 'Other files are being verified; try again in a moment',
        ja: 'ほかのファイルを検証しています。少し待ってからもう一度お試しください',
      },
      headers: { 'Retry-After': '2' },
      is_expected: true,
    });
  }
  taken += 1;
  let isThere = true;
  return {
    leave() {
      if (isThere) taken -= 1;
      isThere = false;
    },
  };
}
