import { correctionBatch } from '../../shared/attendance/corrections/batches.ts';
import { createCorrection } from '../../shared/attendance/corrections/operations.ts';
import { Correction, CorrectionInput } from '../../shared/attendance/corrections/record.ts';
import { correctionType } from '../../shared/attendance/corrections/type.ts';
import { requestCalls } from './requests.ts';

export const corrections = requestCalls({
  type: correctionType,
  batch: correctionBatch,
  schema: Correction,
  one: 'a correction',
  list: { description: '`from` and `to` bound their work dates.' },
  get: {
    description:
      '`before` is the day when the correction was filed, `sessions` what it should become; `available_actions` says what you can do to it.',
  },
  create: {
    summary: 'Ask for a correction',
    description:
      'For yourself, or as manager, admin or owner for somebody else. `sessions` are all that the day should have, in the form of `PUT /attendance/records/{member_id}/{work_date}` and under the same rules. The record changes when the correction is approved.',
    body: CorrectionInput,
    raises: ['not_employed', 'overlapping_session'],
    make: createCorrection,
  },
  approve: {
    description:
      'The sessions replace those of the day, and a revision with `correction_id` keeps what was there; punches stay as they are. A record that was changed since is refused as `stale_day`, sessions of another day with a part of the time as `overlapping_session`. The member is told by mail.',
    raises: ['stale_day', 'not_employed', 'overlapping_session'],
  },
  cancel: { description: 'A pending one, by the member or who filed it.' },
});
