import { z } from 'zod';
import { says } from '../../../kernel/language.ts';
import { addFault, DecimalSource, id } from '../../../kernel/schema.ts';
import { attendanceDay } from '../../dates.ts';

/** A percentage with one decimal at most. It becomes a number, which holds tenths exactly enough to compare with 80. */
function percent() {
  return z
    .union([z.number(), z.instanceof(DecimalSource)])
    .transform((value) => (value instanceof DecimalSource ? value.text : String(value)))
    .refine((text) => /^\d{1,3}(\.\d0*)?$/.test(text) && Number(text) <= 100, {
      params: { code: 'invalid_value' },
      error: says({
        en: 'must be a percentage from 0 to 100 with one decimal at most',
        ja: 'は0〜100の割合（小数第1位まで）で指定してください',
      }),
    })
    .transform(Number)
    .meta({ jsonSchema: { type: 'number', minimum: 0, maximum: 100, multipleOf: 0.1 }, examples: [92.5] });
}

export const StatutoryGranting = z
  .strictObject({
    member_id: id('mem').describe('All members unless said.').optional(),
    from: attendanceDay()
      .describe('The first day of grants; that on which the member was made unless said.')
      .optional(),
    as_of: attendanceDay()
      .describe('The last day of grants: today unless said, later only with `dry_run`.')
      .optional(),
    attendance_rate_percent: percent()
      .describe('With `member_id`: in the place of what was recorded.')
      .optional(),
    dry_run: z.boolean().describe('true answers what would be granted, and keeps nothing.').default(false),
  })
  .superRefine(({ member_id, attendance_rate_percent, from, as_of }, issues) => {
    if (attendance_rate_percent !== undefined && member_id === undefined) {
      addFault(issues, 'attendance_rate_percent', 'not_allowed', {
        en: 'belongs to one member; send member_id with it',
        ja: 'は1人のメンバーについてのものです。member_id と一緒に指定してください',
      });
    }
    if (from !== undefined && as_of !== undefined && from > as_of) {
      addFault(issues, 'from', 'too_large', {
        en: 'must not be after as_of',
        ja: 'は as_of 以前の日付で指定してください',
      });
    }
  })
  .meta({ id: 'StatutoryGranting' });

export type StatutoryGranting = z.output<typeof StatutoryGranting>;
