import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport, Report, ReportColumn, ReportRow } from '../../platform/reports/report.ts';
import { AskedExport } from './asked.ts';
import { dailyReportColumns, dailyRows } from './daily.ts';
import { monthlyReportColumns, monthlyRows } from './monthly.ts';
import { stateOf } from './state.ts';

type Rows = (reader: Reader, asked: AskedExport) => AsyncGenerator<ReportRow, void, void>;

/** A file of lines by member: what who asks sees, in CSV alone. */
function fileOf(
  { name, title }: Pick<Report, 'name' | 'title'>,
  columns: (asked: AskedExport) => ReportColumn[],
  rows: Rows,
): Report {
  return {
    name,
    title,
    scope: 'attendance:read',
    reads_as_asker: true,
    columns: (asked) => columns(AskedExport.parse(asked)),
    rows: (reader, asked: AskedReport) => rows(reader, AskedExport.parse(asked)),
    state: (reader, asked) => stateOf(reader, AskedExport.parse(asked)),
  };
}

/** A line for each member and day. */
export const dailyReport = fileOf(
  { name: 'attendance.daily', title: { ja: '勤怠日次', en: 'attendance_daily' } },
  dailyReportColumns,
  dailyRows,
);

/** A line for each member and month. */
export const monthlyReport = fileOf(
  { name: 'attendance.monthly', title: { ja: '勤怠月次', en: 'attendance_monthly' } },
  monthlyReportColumns,
  monthlyRows,
);
