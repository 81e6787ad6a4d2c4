import { z } from 'zod';
import { rowsAtOnce } from '../../shared/db/cursor.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { encodings } from '../../shared/platform/exports/record.ts';
import type { Content } from '../../shared/platform/jobs/generated.ts';
import { type ReportJson, reportJson } from '../../shared/platform/reports/json.ts';
import {
  type AskedReport,
  type Report,
  type ReportFormat,
  type ReportLanguage,
  reportLanguages,
} from '../../shared/platform/reports/report.ts';
import { refuseTooMany, reportContent } from '../../shared/platform/reports/request.ts';
import type { AnyParams, AnySchema, Declaration, Described, Input } from './declaration.ts';
import type { Generated } from './files/declarations.ts';

/** A report as it is mounted: its `handle` answers JSON, or the file that a worker makes. */
export type ReportEndpoint = { kind: 'report' } & Declaration<AnyParams, AnySchema, z.ZodType> & {
    generates: Generated;
    handle: (input: Input<AnyParams, AnySchema, undefined>, reader: Reader) => Promise<object | Content>;
  };

/** The parameters that every report takes beside its own. */
const form = {
  format: z
    .enum(['json', 'csv', 'pdf'])
    .describe('`json` unless said; `csv` and `pdf` answer a file that a worker makes.')
    .optional(),
  lang: z
    .enum(reportLanguages)
    .describe('The language of a PDF, and of names that the report itself gives; ja unless said.')
    .optional(),
  encoding: z
    .enum(encodings)
    .describe('Of a CSV file; `utf-8-bom` unless said, which spreadsheets open as it is.')
    .optional(),
};

type Form = {
  format?: ReportFormat;
  lang?: (typeof reportLanguages)[number];
  encoding?: (typeof encodings)[number];
};

type ReportDeclaration<Filters extends z.ZodRawShape, Reply extends z.ZodType> = Omit<
  Described<undefined, undefined>,
  'scope' | 'params' | 'query' | 'body_limits'
> & {
  report: Report;
  /** The parameters of its own. */
  filters: Filters;
  reply: Reply;
  /** What the report is asked for: IDs, days and choices. Errors: those of a read. */
  asked: (filters: z.output<z.ZodObject<Filters>>, reader: Reader) => Promise<AskedReport>;
  answer: Answer<z.input<Reply> & object>;
};

/**
 * The report as the answer shows it: made of the rows of its table, or read apart where the answer says more than a table.
 */
type Answer<Shown extends object> =
  | { of_rows: (made: ReportJson, asked: AskedReport) => Shown }
  | { read: (reader: Reader, asked: AskedReport, language: ReportLanguage) => Promise<Shown> };

/** A report as JSON, CSV and PDF, by what one description of its table says. */
export function report<Filters extends z.ZodRawShape, Reply extends z.ZodType>({
  report,
  filters,
  asked: askedOf,
  answer,
  ...described
}: ReportDeclaration<Filters, Reply>): ReportEndpoint {
  return {
    ...described,
    kind: 'report',
    method: 'get',
    scope: report.scope,
    query: z.strictObject({ ...filters, ...form }),
    raises: ['too_many_rows', ...(described.raises ?? [])],
    generates: { kind: report.name, unit: null, media_types: ['text/csv', 'application/pdf'] },
    async handle({ query }, reader) {
      const { format = 'json', lang = 'ja', encoding = 'utf-8-bom', ...own } = query as Form & object;
      const asked = await askedOf(own as z.output<z.ZodObject<Filters>>, reader);
      if (format === 'json') {
        if ('read' in answer) return answer.read(reader, asked, lang);
        return answer.of_rows(await jsonOf(reader, report, asked), asked);
      }
      return reportContent(reader, report, { format, asked, language: lang, encoding });
    },
  };
}

/** Errors: `too_many_rows`. */
async function jsonOf(reader: Reader, report: Report, asked: AskedReport): Promise<ReportJson> {
  const { lines } = await report.state(reader, asked);
  refuseTooMany(lines);
  const rows = report.rows(reader, asked, 'ja', (text, values) =>
    rowsAtOnce(reader.connection, text, values),
  );
  return reportJson(report.columns(asked), rows);
}
