import { z } from 'zod';
import { isFiltered } from '../../shared/db/list.ts';
import { invalid } from '../../shared/kernel/failure.ts';
import type { Prefix } from '../../shared/kernel/id.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { idsThatMatch, MOST_RECORDS, recordIds } from '../../shared/platform/batches/selection.ts';
import type { Exporter } from '../../shared/platform/exports/exporter.ts';
import { inBody } from './exports.ts';
import { type ListEndpoint, orderFields } from './list.ts';

/** The members of a body that choose records of a list: by their IDs, or by what the list is filtered by. */
export function selectionFields({ list: { filters, sorts, has_changes } }: ListEndpoint, prefix: Prefix) {
  const { sort: _sort, order: _order, ...bounds } = orderFields(sorts, has_changes);
  const conditions = Object.entries(filters.shape).map(([name, schema]) => [name, inBody(schema)]);
  const Filter = z
    .strictObject({ ...Object.fromEntries(conditions), ...bounds })
    .describe(
      `In the place of \`ids\`: all records of the list that it leaves, the oldest first, ${MOST_RECORDS} at most.`,
    );
  return { ids: recordIds(prefix).optional(), filter: Filter.optional() };
}

type Selection = { ids?: string[] | undefined; filter?: Record<string, unknown> | undefined };

/**
 * The IDs of the records that a body chooses. Those of `ids` may be of no record. Errors: `validation_failed` unless it
 * has either `ids` or `filter`, `too_many`.
 */
export async function selectedIds(
  reader: Reader,
  list: Exporter['list'],
  { ids, filter }: Selection,
): Promise<readonly string[]> {
  if (ids && filter)
    throw invalid('/filter', 'conflict', {
      en: 'filter cannot stand beside ids',
      ja: 'filter は ids と一緒には指定できません',
    });
  if (ids) return ids;
  if (!filter)
    throw invalid('/ids', 'required', {
      en: 'ids or filter is required',
      ja: 'ids か filter を指定してください',
    });
  if (!isFiltered(filter))
    throw invalid('/filter', 'required', {
      en: 'filter must name a condition',
      ja: 'filter には条件を一つ以上指定してください',
    });
  const { created_after, created_before, updated_after, updated_before, ...filters } = filter as Record<
    string,
    string | undefined
  >;
  return idsThatMatch(reader, list, filters, {
    created_after: created_after ?? null,
    created_before: created_before ?? null,
    updated_after: updated_after ?? null,
    updated_before: updated_before ?? null,
  });
}
