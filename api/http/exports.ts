import { z } from 'zod';
import { invalid } from '../../shared/kernel/failure.ts';
import { joined, sameText } from '../../shared/kernel/language.ts';
import { storable } from '../../shared/kernel/schema.ts';
import type { Exporter } from '../../shared/platform/exports/exporter.ts';
import { requestExport } from '../../shared/platform/exports/operations.ts';
import { ExportForm } from '../../shared/platform/exports/record.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { type Endpoint, write } from './endpoint.ts';
import { type ListEndpoint, orderFields, readSort } from './list.ts';

/** What the rows of the file can be beside the records of the list, by what `rows` calls them; the first one is those. */
export type RowsOf = Readonly<Record<string, Exporter>>;

/** The export of a list as CSV: a POST below its path that takes what the list takes, for holders of the same scope. */
export function exportOf(list: ListEndpoint, exporter: Exporter, rows: RowsOf = {}): Endpoint {
  const { filters, sorts, has_changes } = list.list;
  const names = Object.keys(filters.shape);
  return write({
    id: `${exporter.name}.export`,
    method: 'post',
    path: `${list.path}/export`,
    scope: exporter.scope,
    ...(list.domain_scope && { domain_scope: list.domain_scope }),
    summary: `Export ${exporter.name.split('.')[1]!.replaceAll('_', ' ')} as CSV`,
    description:
      "All that the filters leave, as of one moment, in the list's order. A worker writes the file; it is at " +
      '`/api/v1/jobs/{id}/file` when the job has succeeded, for 7 days, or until somebody is erased whom it may show. The header names the fields, in Japanese with `lang`; a text that a ' +
      "spreadsheet would take for a formula has an apostrophe before it. The job's result counts the `rows` and, in " +
      '`replaced_characters`, the letters that Shift_JIS lacks. An import reads the file as it is.',
    body: bodySchema(filters, orderFields(sorts, has_changes), Object.keys(rows)),
    status: 202,
    reply: z.strictObject({ job: JobResource }),
    async handle({ body }, work) {
      const { columns = null, encoding = 'utf-8-bom', line_ending = 'crlf', lang = 'en', ...asked } = body;
      const read = readSort(asked, sorts);
      if ('message' in read)
        throw invalid('/sort', 'invalid_value', joined([sameText('sort'), read.message], ' '));
      const chosen = names.map((name) => [name, (asked as Record<string, unknown>)[name]]);
      const { rows: wanted } = asked as { rows?: string };
      const job = await requestExport(work, rows[wanted ?? ''] ?? exporter, {
        filters: Object.fromEntries(chosen.filter(([, value]) => value !== undefined)),
        sort: read.sort,
        created_after: asked.created_after ?? null,
        created_before: asked.created_before ?? null,
        updated_after: asked.updated_after ?? null,
        updated_before: asked.updated_before ?? null,
        columns,
        encoding,
        line_ending,
        lang,
      });
      return { job };
    },
  });
}

function bodySchema(filters: z.ZodObject, order: ReturnType<typeof orderFields>, rows: readonly string[]) {
  const [first] = rows;
  return z.strictObject({
    ...Object.fromEntries(Object.entries(filters.shape).map(([name, schema]) => [name, inBody(schema)])),
    ...(first !== undefined && {
      rows: z.enum(rows).describe(`What a row of the file is; \`${first}\` unless said.`).optional(),
    }),
    ...order,
    ...ExportForm.shape,
  });
}

/** What a filter says of its form in JSON, and of itself. */
type FilterMeta = {
  jsonSchema?: { type?: string; minimum?: number; maximum?: number };
  description?: string;
};

/**
 * A filter as JSON has it: what is the word `true`, or digits, in a query string is not text there, and what no query string
 * may hold is refused here.
 */
export function inBody(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : (schema as z.ZodType);
  const { jsonSchema, description } = (inner.meta() ?? {}) as FilterMeta;
  if (inner instanceof z.ZodString) return storable(inner).optional();
  const plain = jsonSchema && plainSchema(jsonSchema);
  if (!plain) return schema;
  return (description === undefined ? plain : plain.describe(description)).optional();
}

function plainSchema({ type, minimum, maximum }: NonNullable<FilterMeta['jsonSchema']>): z.ZodType | null {
  if (type === 'boolean') return z.boolean();
  if (type !== 'integer') return null;
  return z.int().min(minimum!).max(maximum!);
}
