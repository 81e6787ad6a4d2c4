import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Sort, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { type ResponseFilters, responsesFor } from './filters.ts';
import { filesOf } from './queries.ts';
import { type FormResponse, ResponseModel } from './record.ts';
import { type ResponseRow, responseColumns, responseOf } from './rows.ts';

/** The sort fields of the list, beside those of every list. A response is created when it is submitted. */
export const responseSorts = ['submitted_at'];

/** A window of the responses of a form that the filters leave. Errors: `invalid_cursor`. */
export async function responsePage(
  reader: Reader,
  form_id: string,
  filters: ResponseFilters,
  window: Window,
): Promise<Page<FormResponse>> {
  const page = await pageOf<ResponseRow>(reader, responsesListed(reader, form_id, filters, window));
  const files = await filesOf(
    reader,
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows: page.rows.map((row) => responseOf(row, files.get(row.id) ?? [])) };
}

/** The responses of a form that the filters leave, in the order of a window. */
export function responsesListed(
  reader: Reader,
  form_id: string,
  filters: ResponseFilters,
  window: Window,
): ListQuery {
  const { created_after, created_before } = window;
  const query = responsesFor(reader, form_id, filters);
  const table = ResponseModel.tableName;
  if (created_after !== null) query.where(`${table}.submitted_at`, '>=', created_after);
  if (created_before !== null) query.where(`${table}.submitted_at`, '<', created_before);
  const { is_spam, ...others } = filters;
  const isWhole = !isFiltered(others) && created_after === null && created_before === null;
  return {
    query,
    table,
    columns: responseColumns,
    prefix: 'resp',
    sorts: { created_at: 'submitted_at', submitted_at: 'submitted_at' },
    walked: ['submitted_at', 'updated_at'],
    search: filters.search === undefined ? null : searchTerm(filters.search, { phones: false }),
    window: { ...window, sort: sortOf(filters, window), created_after: null, created_before: null },
    ...(isWhole && { total: () => countedResponses(reader, form_id, is_spam ?? 'false') }),
  };
}

/**
 * By submission unless said. With spam the IDs stand for it, which begin with that time: one index has both kinds in their order. That
 * of an assignee has both as well, by submission.
 */
function sortOf({ is_spam, assignee_id }: ResponseFilters, window: Window): Sort[] {
  const sort = bySubmission(window.sort);
  const [first, ...others] = sort;
  if (is_spam !== 'all' || assignee_id !== undefined || first!.field !== 'submitted_at' || others.length > 0)
    return sort;
  return [{ field: 'created_at', direction: first!.direction }];
}

/** The newest first unless said; by the column that the index of a form has. */
function bySubmission(sort: readonly Sort[]): Sort[] {
  if (sort.length === 0) return [{ field: 'submitted_at', direction: 'desc' }];
  const named = sort.map(({ field, direction }) => ({
    field: field === 'created_at' ? 'submitted_at' : field,
    direction,
  }));
  return named.filter(({ field }, place) => named.findIndex((other) => other.field === field) === place);
}

/** How many responses a form has: 16 rows are read, and no response. */
async function countedResponses(
  { connection, organization_id }: Reader,
  form_id: string,
  is_spam: NonNullable<ResponseFilters['is_spam']>,
): Promise<number> {
  const [counts] = await connection.query<Record<string, number>>(
    `SELECT coalesce(sum(response_count), 0)::integer AS "false", coalesce(sum(spam_count), 0)::integer AS "true",
            coalesce(sum(response_count + spam_count), 0)::integer AS "all"
       FROM forms_counts WHERE organization_id = $1 AND form_id = $2`,
    [organization_id, form_id],
  );
  return counts![is_spam]!;
}
