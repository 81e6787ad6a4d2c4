import type { RequestType } from './kind.ts';
import type { RequestRow } from './record.ts';

/** What requests about a single work date have in common: their days, and how lists find them. */
export function ofWorkDate(
  table: string,
): Pick<RequestType<RequestRow & { work_date: string }, unknown>, 'datesOf' | 'sorts' | 'narrow'> {
  return {
    datesOf: ({ work_date }) => ({ from: work_date, to: work_date }),
    sorts: { work_date: 'work_date' },
    narrow: (query, { from, to }) => {
      if (from !== undefined) query.where(`${table}.work_date`, '>=', from);
      if (to !== undefined) query.where(`${table}.work_date`, '<=', to);
    },
  };
}
