import type { Knex } from 'knex';
import type { Reader } from '../../kernel/reader.ts';
import { facetOf, LONGEST_VALUE } from './facets.ts';
import { ResponseModel } from './record.ts';

/** What the responses of a form are filtered by. Times are instants: `submitted_after` is inclusive. */
export type ResponseFilters = {
  is_spam?: 'false' | 'true' | 'all' | undefined;
  form_version?: number | undefined;
  ending_id?: string | undefined;
  source?: string | undefined;
  /** One or several. An export that was asked for by the release before names one, not in a list. */
  status?: string | readonly string[] | undefined;
  assignee_id?: string | undefined;
  search?: string | undefined;
  /** A field, or a part of one (`who.last_name`), with the value that it was answered with. */
  field?: string | undefined;
  value?: string | undefined;
  submitted_after?: string | undefined;
  submitted_before?: string | undefined;
};

const TABLE = ResponseModel.tableName;

/** The responses of a form that the filters leave, but for `search`. */
export function responsesFor(reader: Reader, form_id: string, filters: ResponseFilters): Knex.QueryBuilder {
  const query = ResponseModel.table(reader).where(`${TABLE}.form_id`, form_id);
  const { is_spam = 'false', submitted_after, submitted_before, status, assignee_id } = filters;
  if (is_spam !== 'all') query.where(`${TABLE}.is_spam`, is_spam === 'true');
  if (submitted_after !== undefined) query.where(`${TABLE}.submitted_at`, '>=', submitted_after);
  if (submitted_before !== undefined) query.where(`${TABLE}.submitted_at`, '<', submitted_before);
  if (status !== undefined) query.whereIn(`${TABLE}.status`, [status].flat());
  if (assignee_id !== undefined) query.where(`${TABLE}.assignee_id`, assignee_id);
  const facets = facetsAskedFor(query, form_id, filters);
  if (facets.length > 0) query.whereRaw(`${TABLE}.search_grams @> ?::integer[]`, [facets]);
  return query;
}

/** The facets of the filters, whose rows are checked here: different ones may share a number. */
function facetsAskedFor(
  query: Knex.QueryBuilder,
  form_id: string,
  { form_version, ending_id, source, search, field, value }: ResponseFilters,
): number[] {
  // The index of letters has the responses of all forms.
  const facets = search === undefined ? [] : [facetOf(form_id, '', '')];
  for (const [name, asked] of Object.entries({ form_version, ending_id, source })) {
    if (asked === undefined) continue;
    query.where(`${TABLE}.${name}`, asked);
    facets.push(facetOf(form_id, name, String(asked)));
  }
  if (field === undefined || value === undefined) return facets;
  query.whereRaw(...answeredWith(field, value));
  // A longer one has no facet.
  return value.length > LONGEST_VALUE ? facets : [...facets, facetOf(form_id, `/${field}`, value)];
}

/** Whether an answer, or a part of it, is a value, holds it among others, or is an option "other" with that text. */
function answeredWith(field: string, value: string): [string, string[]] {
  const [id = '', part] = field.split('.');
  const answer = part === undefined ? `${TABLE}.data -> ?` : `${TABLE}.data -> ? -> ?`;
  const place = part === undefined ? [id] : [id, part];
  return [
    `CASE jsonb_typeof(${answer})
       WHEN 'array' THEN (${answer}) @> to_jsonb(?::text) OR (${answer}) @> jsonb_build_array(jsonb_build_object('other', ?::text))
       WHEN 'object' THEN (${answer}) ->> 'other' = ?
       ELSE (${answer}) #>> '{}' = ? END`,
    [...place, ...place, value, ...place, value, ...place, value, ...place, value],
  ];
}
