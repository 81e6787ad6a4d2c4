import { z } from 'zod';
import { commonOptions } from '../../platform/imports/options.ts';

const { on_conflict: _, ...reading } = commonOptions;

/** What an import of days takes. */
export const DayImportFields = z.strictObject({
  ...reading,
  mapping: reading.mapping.meta({
    examples: [{ 社員番号: 'employee_code', 日付: 'work_date', 出勤: 'clock_in', 退勤: 'clock_out' }],
  }),
});

/** The same as it is kept: a day of the file replaces the one that is there. */
export const DayImportOptions = DayImportFields.transform((options) => ({
  ...options,
  on_conflict: 'update' as const,
}));

export type DayImportOptions = z.output<typeof DayImportOptions>;
