import { z } from 'zod';
import { type ImportRecord, importResource, shownImport } from '../../platform/imports/record.ts';

/** An import of days, as the API shows it; the days of a file always replace what is there. */
export const DayImport = importResource({
  prefix: 'aimp',
  object: 'attendance.import',
  name: 'AttendanceImportBase',
  more: {
    day_count: z
      .int()
      .describe('Days whose sessions it made or replaced. All other counts are of rows.')
      .meta({ examples: [620] }),
  },
})
  .omit({ on_conflict: true })
  .meta({ id: 'AttendanceImport' });

/** The row as the API shows it. */
export function dayImportOf(row: ImportRecord) {
  const { on_conflict, ...shown } = shownImport(row);
  return { id: row.id, object: 'attendance.import' as const, day_count: row.record_count, ...shown };
}
