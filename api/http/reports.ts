import { z } from 'zod';
import { rowsAtOnce } from '../../shared/db/cursor.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { encodings } from '../../shared/platform/exports/record.ts';
import type { Content } from '../../shared/platform/jobs/generated.ts';
import { type ReportJson, reportJson } from '../../shared/platform/reports/json.ts';
import {
  type AskedReport,
  type Report,
  type ReportLanguage,
  reportLanguages,
} from '../../shared/platform/reports/report.ts';
import { MOST_LINES, refuseTooMany, reportContent } from '../../shared/platform/reports/request.ts';
import type { AnyParams, AnySchema, Declaration, Described, Input } from './declaration.ts';
import type { Generated } from './files/declarations.ts';

/** A report as it is mounted: its `handle` answers JSON, or the file that a worker makes. */
export type ReportEndpoint = { kind: 'report' } & Declaration<AnyParams, AnySchema, z.ZodType> & {
    generates: Generated;
    handle: (input: Input<AnyParams, AnySchema, undefined>, reader: Reader) => Promise<object | Content>;
  };

/** The parameters that say how a report is answered. */
const form = {
  lang: z
    .enum(reportLanguages)
    .describe(
      'The language of a PDF, and of names that the report itself gives; ja unless said. A CSV file has the names of the members as its header, with `lang=ja` their titles.',
    )
    .optional(),
  encoding: z
    .enum(encodings)
    .describe('Of a CSV file; `utf-8-bom` unless said, which spreadsheets open as it is.')
    .optional(),
};

/** The forms in which a report can be asked for: JSON, the files that all have, and those of its own. */
function formatOf({ formats = {} }: Report) {
  return z
    .enum(['json', 'csv', 'pdf', ...Object.keys(formats)])
    .describe('`json` unless said; the others answer a file that a worker makes.')
    .optional();
}

type Form = {
  format?: string;
  lang?: (typeof reportLanguages)[number];
  encoding?: (typeof encodings)[number];
};

type ReportDeclaration<
  Filters extends z.ZodRawShape,
  Paging extends z.ZodRawShape,
  Reply extends z.ZodType,
> = Omit<Described<undefined, undefined>, 'scope' | 'params' | 'query' | 'body_limits'> & {
  report: Report;
  /** The parameters of its own. */
  filters: Filters;
  /** The parameters that choose a part of it; a file has all of it and takes none of them. */
  paging?: Paging;
  reply: Reply;
  /** What the report is asked for: IDs, days and choices. Errors: those of a read. */
  asked: (filters: z.output<z.ZodObject<Filters>>, reader: Reader) => Promise<AskedReport>;
  answer: Answer<z.input<Reply> & object, z.output<z.ZodObject<Paging>>>;
};

/**
 * The report as the answer shows it: made of the rows of its table, or read apart where the answer says more than a table.
 */
type Answer<Shown extends object, Page> =
  | { of_rows: (made: ReportJson, asked: AskedReport) => Shown }
  | { read: (reader: Reader, asked: AskedReport, language: ReportLanguage, page: Page) => Promise<Shown> };

/** A report as JSON, CSV and PDF, by what one description of its table says. */
export function report<
  Filters extends z.ZodRawShape,
  Reply extends z.ZodType,
  Paging extends z.ZodRawShape = Record<never, never>,
>({
  report,
  filters,
  paging = {} as Paging,
  asked: askedOf,
  answer,
  ...described
}: ReportDeclaration<Filters, Paging, Reply>): ReportEndpoint {
  const own_types = Object.values(report.formats ?? {}).map(({ media_type }) => media_type.split(';')[0]!);
  return {
    ...described,
    kind: 'report',
    method: 'get',
    scope: report.scope,
    query: z.strictObject({ ...filters, ...paging, format: formatOf(report), ...form }),
    raises: ['too_many_rows', ...(described.raises ?? [])],
    generates: { kind: report.name, unit: null, media_types: ['text/csv', 'application/pdf', ...own_types] },
    async handle({ query }, reader) {
      const { format = 'json', lang: said, encoding = 'utf-8-bom', ...sent } = query as Form & object;
      const lang = said ?? 'ja';
      const [page, own] = apart(sent, paging);
      if (format !== 'json') refusePart(page);
      const asked = await askedOf(own as z.output<z.ZodObject<Filters>>, reader);
      if (format === 'json') {
        if ('read' in answer) return answer.read(reader, asked, lang, page as z.output<z.ZodObject<Paging>>);
        return answer.of_rows(await jsonOf(reader, report, asked), asked);
      }
      const titled = format === 'csv' && said === 'ja' ? { titled: true } : {};
      return reportContent(reader, report, { format, asked, language: lang, encoding, ...titled });
    },
  };
}

/** Errors: `too_many_rows`. */
async function jsonOf(reader: Reader, report: Report, asked: AskedReport): Promise<ReportJson> {
  if (report.counts_as_it_reads) return countedJson(reader, report, asked);
  const { lines } = await report.state(reader, asked);
  refuseTooMany(lines);
  const rows = report.rows(reader, asked, 'ja', (text, values) =>
    rowsAtOnce(reader.connection, text, values),
  );
  return reportJson(report.columns(asked), rows);
}

/** The same of lines that are read without being counted before: up to one that is too many. */
async function countedJson(reader: Reader, report: Report, asked: AskedReport): Promise<ReportJson> {
  const rows = report.rows(reader, asked, 'ja', (text, values) =>
    rowsAtOnce(reader.connection, `${text} LIMIT ${MOST_LINES + 1}`, values),
  );
  const json = await reportJson(report.columns(asked), rows);
  refuseTooMany(json.rows.length);
  return json;
}

/** What was sent of these parameters, and the rest. */
function apart(sent: object, paging: z.ZodRawShape): [object, object] {
  const all = Object.entries(sent);
  const of = (isPaging: boolean) => Object.fromEntries(all.filter(([name]) => name in paging === isPaging));
  return [of(true), of(false)];
}

/** A file holds all of a report. Errors: `validation_failed`. */
function refusePart(page: object): void {
  const paths = Object.keys(page);
  if (paths.length === 0) return;
  const message = {
    en: `A file holds the whole range and takes no ${paths.join(', ')}`,
    ja: `ファイルには全期間が含まれるため ${paths.join('、')} は指定できません`,
  };
  const errors = paths.map((path) => ({ in: 'query' as const, path, code: 'not_allowed', message }));
  throw new Failure('validation_failed', { detail: message, errors });
}
