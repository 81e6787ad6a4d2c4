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
    description: {
      en: 'Removes the codes that opened documents for signing, after a day',
      ja: '署名の書類を開いたコードを、1日後に削除します',
    },
  }),
  expiry({
    table: 'sign_accesses',
    column: 'expires_at',
    age: HOUR,
    every: HOUR,
    description: {
      en: 'Removes the accesses of signers that are over',
      ja: '終了した署名者のアクセスを削除します',
    },
  }),
];
