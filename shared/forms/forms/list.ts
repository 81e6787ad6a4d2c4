import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { storedForms } from './queries.ts';
import { FormModel, formKind } from './record.ts';
import type { StoredForm } from './rows.ts';
import type { FormStatus } from './words.ts';

/** What the list of forms can be narrowed by. */
export type FormFilters = LookUps & {
  status?: readonly FormStatus[] | undefined;
  search?: string | undefined;
};

const TABLE = FormModel.tableName;

/** A window of the forms that the filters leave. Errors: `invalid_cursor`. */
export async function formPage(
  reader: Reader,
  filters: FormFilters,
  window: Window,
): Promise<Page<StoredForm>> {
  const { status, search } = filters;
  const query = FormModel.table(reader);
  if (status !== undefined) query.whereIn(`${TABLE}.status`, [...status]);
  const page = await pageOf<{ id: string; created_at: string; updated_at: string }>(reader, {
    query,
    table: TABLE,
    columns: ['id', 'created_at', 'updated_at'],
    prefix: 'form',
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: formKind, asked: filters },
    search: search === undefined ? null : searchTerm(search, { phones: false }),
  });
  const byId = await storedForms(
    reader,
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows: page.rows.flatMap(({ id }) => byId(id) ?? []) };
}
