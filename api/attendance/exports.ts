import { z } from 'zod';
import { attendanceDay } from '../../shared/attendance/dates.ts';
import { type AskedExport, timeFormats } from '../../shared/attendance/exports/asked.ts';
import { renderSheetsJob } from '../../shared/attendance/exports/jobs.ts';
import { dailyReport, monthlyReport } from '../../shared/attendance/exports/reports.ts';
import { MOST_SHEETS, sheetsFile } from '../../shared/attendance/exports/sheets/read-sheets.ts';
import { presentMonth, yearMonth } from '../../shared/attendance/months/month.ts';
import { Failure, invalidAll, notFound } from '../../shared/kernel/failure.ts';
import { languages } from '../../shared/kernel/language.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { id } from '../../shared/kernel/schema.ts';
import { encodings } from '../../shared/platform/exports/record.ts';
import type { AskedReport } from '../../shared/platform/reports/report.ts';
import { contentOfRows, reportContent } from '../../shared/platform/reports/request.ts';
import { generated } from '../http/files/declarations.ts';
import { requireSpan } from './span.ts';

const PATH = '/api/v1/attendance/exports';

const asked = {
  month: yearMonth().describe('A period by its month; the running one unless days are sent.').optional(),
  from: attendanceDay().describe('With `to`, in place of `month`.').optional(),
  to: attendanceDay()
    .meta({ examples: ['2026-12-31'] })
    .optional(),
  member_id: id('mem').describe('This member alone.').optional(),
  department_id: id('dept').describe('The members of this department and of all below it.').optional(),
  lang: z.enum(languages).describe('`ja` unless said.').optional(),
};

type Asked = z.output<z.ZodObject<typeof asked>>;

const WHOSE =
  'Of the members whose days the caller sees, by `employee_code`: those who were employed on one of the days at least. Confirmed months are as they were confirmed. The file and its job are for who asked, owners and admins.';

/** The days as the job keeps them. Errors: `validation_failed` at their parameters. */
async function askedOf(
  { month, from, to, lang, member_id, department_id }: Asked,
  reader: Reader,
): Promise<AskedReport & Pick<AskedExport, 'language'>> {
  const whose = { ...(member_id && { member_id }), ...(department_id && { department_id }) };
  const language = lang ?? 'ja';
  if (from === undefined && to === undefined) {
    return { month: month ?? (await presentMonth(reader)), ...whose, language };
  }
  if (month !== undefined) throw oneOf('month', 'not_allowed');
  if (from === undefined) throw oneOf('from', 'required');
  if (to === undefined) throw oneOf('to', 'required');
  requireSpan({ from, to });
  return { from, to, ...whose, language };
}

function oneOf(path: string, code: 'required' | 'not_allowed'): Failure {
  const message = {
    en: 'Send month, or from and to together',
    ja: 'month か、from と to の両方のどちらかを指定してください',
  };
  return invalidAll([{ in: 'query', path, code, message }]);
}

export const exports = [
  generated({
    id: 'attendance.exports.csv',
    path: `${PATH}/csv`,
    scope: 'attendance:read',
    summary: 'Download attendance as CSV',
    description: `A line a member and day, or a member and month; of \`from\` and \`to\` with \`monthly\` every month that has one of the days, whole. RFC 4180 with CRLF; what a spreadsheet would run has an apostrophe before it. ${WHOSE}`,
    query: z.strictObject({
      ...asked,
      unit: z.enum(['daily', 'monthly']).describe('`daily` unless said.').optional(),
      time_format: z.enum(timeFormats).describe('`minutes` unless said; `hhmm` is `33:08`.').optional(),
      encoding: z
        .enum(encodings)
        .describe('`utf-8-bom` unless said. `shift_jis` is that of Windows (CP932).')
        .optional(),
    }),
    generates: { kind: 'attendance.exports.csv', unit: null, media_types: ['text/csv'] },
    async handle({ query }, reader) {
      const { unit = 'daily', time_format = 'minutes', encoding = 'utf-8-bom', ...days } = query;
      const { language, ...rest } = await askedOf(days, reader);
      return reportContent(reader, unit === 'daily' ? dailyReport : monthlyReport, {
        asked: { ...rest, time_format, language },
        format: 'csv',
        language,
        encoding,
      });
    },
  }),
  generated({
    id: 'attendance.exports.pdf',
    path: `${PATH}/pdf`,
    scope: 'attendance:read',
    summary: 'Download timesheets as PDF',
    description: `A page of A4 for each member and month: its days, totals, leave and limits, with boxes for seals. Of \`from\` and \`to\` every month that has one of the days, whole. At most ${MOST_SHEETS} pages. ${WHOSE}`,
    query: z.strictObject(asked),
    raises: ['too_many_rows'],
    generates: { kind: 'attendance.exports.pdf', unit: null, media_types: ['application/pdf'] },
    async handle({ query }, reader) {
      const { language, ...rest } = await askedOf(query, reader);
      const wanted = { asked: { ...rest, language }, format: 'pdf', language, encoding: 'utf-8' as const };
      const { revision, lines } = await sheetsFile.state(reader, wanted.asked);
      if (lines === 0) throw notFound();
      if (lines > MOST_SHEETS) throw tooMany(lines);
      return contentOfRows(reader, sheetsFile, wanted, { job: renderSheetsJob, revision });
    },
  }),
];

function tooMany(count: number): Failure {
  return new Failure('too_many_rows', {
    detail: {
      en: `These are ${count} pages, and a file has at most ${MOST_SHEETS}: ask for fewer months, or for one department at a time`,
      ja: `${count}ページになります。1つのファイルは${MOST_SHEETS}ページまでです。期間を短くするか、部署ごとに取得してください`,
    },
  });
}
