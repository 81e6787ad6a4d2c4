import { DAY } from '../../kernel/days.ts';
import { expiry, HOUR } from '../../platform/sweeps/expiry.ts';
import type { Sweep } from '../../platform/sweeps/sweep.ts';

/** What guests leave behind: codes are counted for an hour, an access is over after two. */
export const guestSweeps: readonly Sweep[] = [
  expiry({
    table: 'sign_codes',
    column: 'created_at',
    age: DAY,
    every: HOUR,
    description: 'Removes the codes that opened documents for signing, after a day',
  }),
  expiry({
    table: 'sign_accesses',
    column: 'expires_at',
    age: HOUR,
    every: HOUR,
    description: 'Removes the accesses of signers that are over',
  }),
];
