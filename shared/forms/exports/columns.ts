import type { Language } from '../../kernel/language.ts';
import type { CellKind } from '../../platform/exports/csv.ts';
import type { ExportColumn } from '../../platform/exports/exporter.ts';
import type { Option } from '../schema/schema.ts';
import { inBoth } from '../schema/texts.ts';
import type { Catalogue, KnownField } from '../versions/catalogue.ts';
import { ADDRESS_PARTS, NAME_PARTS, YES_NO } from './words.ts';

/** How options stand in the cells. */
export type CellValues = 'labels' | 'ids';

const DATA = 'forms_responses.data';

const NUMBERS: ReadonlySet<KnownField['type']> = new Set(['number', 'rating', 'nps', 'scale']);
const CHOSEN: ReadonlySet<KnownField['type']> = new Set(['choice', 'dropdown', 'multi_choice', 'ranking']);

/** The columns of responses before those of the fields; `is_spam` where spam was asked for. */
export function ownColumns({ hidden, scores }: Catalogue, with_spam: boolean): ExportColumn[] {
  const own = (name: string, kind: CellKind, sql: string): ExportColumn => ({
    name,
    header: name,
    kind,
    sql,
  });
  const plain = (name: string, kind: CellKind = 'text') => own(name, kind, `forms_responses.${name}`);
  return [
    own('response_id', 'text', 'forms_responses.id'),
    plain('submitted_at', 'time'),
    plain('form_version', 'number'),
    plain('source'),
    plain('locale'),
    plain('ending_id'),
    plain('status'),
    ...(with_spam
      ? [own('is_spam', 'text', "CASE WHEN forms_responses.is_spam THEN 'true' ELSE 'false' END")]
      : []),
    ...hidden.map((name) => ({ ...own(name, 'text', 'forms_responses.hidden ->> ?'), values: [name] })),
    ...scores.map((name) => ({ ...own(name, 'number', 'forms_responses.scores ->> ?'), values: [name] })),
  ];
}

/** The columns of a field: one, or one for each part of a name or an address and each row of a matrix; a statement has none. */
export function columnsOfField(field: KnownField, values: CellValues, locale: Language): ExportColumn[] {
  const { id, type, options, rows, has_kana } = field;
  const label = inBoth(field.label)[locale];
  const whole = (kind: CellKind, sql: string, bound: string[]): ExportColumn[] => [
    { name: id, header: label, kind, sql, values: bound },
  ];
  const part = (key: string, title: string, sql: string, bound: string[]): ExportColumn => ({
    name: `${id}.${key}`,
    header: `${label} - ${title}`,
    kind: 'text',
    sql,
    values: bound,
  });
  const partsOf = (parts: Readonly<Record<string, { en: string; ja: string }>>) =>
    Object.entries(parts).map(([key, title]) => part(key, title[locale], `${DATA} -> ? ->> ?`, [id, key]));
  if (type === 'statement') return [];
  if (type === 'file') return whole('text', filesOf(values), [id]);
  if (type === 'name') return partsOf(NAME_PARTS).slice(0, has_kana ? 4 : 2);
  if (type === 'address') return partsOf(ADDRESS_PARTS);
  if (type === 'matrix') {
    return rows.map((row) => {
      const cell = chosen(`${DATA} -> ? -> ?`, [id, row.id], options, values, locale);
      return part(row.id, inBoth(row.label)[locale], cell.sql, cell.values);
    });
  }
  if (CHOSEN.has(type)) {
    const cell = chosen(`${DATA} -> ?`, [id], options, values, locale);
    return whole('text', cell.sql, cell.values);
  }
  if ((type === 'yes_no' || type === 'consent') && values === 'labels') {
    const [yes, no] = [YES_NO.yes[locale], YES_NO.no[locale]];
    return whole('text', `CASE ${DATA} ->> ? WHEN 'true' THEN ? WHEN 'false' THEN ? END`, [id, yes, no]);
  }
  return whole(NUMBERS.has(type) ? 'number' : 'text', `${DATA} ->> ?`, [id]);
}

/** The cell of what was chosen, one or several in their order, `; ` between; of an option "other" its text. */
function chosen(
  answer: string,
  place: string[],
  options: readonly Option[],
  values: CellValues,
  locale: Language,
): { sql: string; values: string[] } {
  const labels = Object.fromEntries(options.map(({ id, label }) => [id, inBoth(label)[locale]]));
  // Without the labels, an ID stands for itself.
  const map = JSON.stringify(values === 'labels' ? labels : {});
  const one = (value: string) =>
    `CASE jsonb_typeof(${value}) WHEN 'object' THEN ${value} ->> 'other'
       ELSE coalesce(?::jsonb ->> (${value} #>> '{}'), ${value} #>> '{}') END`;
  return {
    sql: `(SELECT CASE jsonb_typeof(answer) WHEN 'array' THEN
        (SELECT string_agg(${one('item')}, '; ' ORDER BY place) FROM jsonb_array_elements(answer) WITH ORDINALITY AS items (item, place))
        ELSE ${one('answer')} END FROM (SELECT ${answer} AS answer) AS given)`,
    values: [map, map, ...place],
  };
}

/** The names of the files that a field was answered with, or their IDs. */
function filesOf(values: CellValues): string {
  return `(SELECT string_agg(${values === 'labels' ? 'file_name' : 'file.id'}, '; ' ORDER BY file.id) FROM forms_files AS file
    WHERE file.organization_id = forms_responses.organization_id AND file.response_id = forms_responses.id
      AND file.field_id = ?)`;
}
