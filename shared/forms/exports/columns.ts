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
      const cell = oneOrSeveral(`${DATA} -> ? -> ?`, [id, row.id], labelsOf(options, values, locale));
      return part(row.id, inBoth(row.label)[locale], cell.sql, cell.values);
    });
  }
  if (type === 'choice' || type === 'dropdown') {
    const cell = labelled(`${DATA} ->> ?`, [id], labelsOf(options, values, locale));
    return whole('text', cell.sql, cell.values);
  }
  if (type === 'multi_choice' || type === 'ranking') {
    const cell = oneOrSeveral(`${DATA} -> ?`, [id], labelsOf(options, values, locale));
    return whole('text', cell.sql, cell.values);
  }
  if ((type === 'yes_no' || type === 'consent') && values === 'labels') {
    const [yes, no] = [YES_NO.yes[locale], YES_NO.no[locale]];
    return whole('text', `CASE ${DATA} ->> ? WHEN 'true' THEN ? WHEN 'false' THEN ? END`, [id, yes, no]);
  }
  return whole(NUMBERS.has(type) ? 'number' : 'text', `${DATA} ->> ?`, [id]);
}

type Cell = { sql: string; values: string[] };

/** The labels by the IDs as JSON; without labels an ID stands for itself. */
function labelsOf(options: readonly Option[], values: CellValues, locale: Language): string {
  if (values === 'ids') return '{}';
  return JSON.stringify(Object.fromEntries(options.map(({ id, label }) => [id, inBoth(label)[locale]])));
}

/** The label of what was chosen, which is the text of an ID or of `{ "other": text }`: no ID begins with a brace. */
function labelled(chosen: string, place: string[], labels: string): Cell {
  return {
    sql: `coalesce(?::jsonb ->> (${chosen}),
      CASE WHEN ${chosen} LIKE '{%' THEN (${chosen})::jsonb ->> 'other' ELSE ${chosen} END)`,
    values: [labels, ...place, ...place, ...place, ...place],
  };
}

/** The labels of what was chosen in their order, `; ` between. Their texts are read, not their JSON: that takes two thirds of the time. */
function oneOrSeveral(answer: string, place: string[], labels: string): Cell {
  const one = labelled("answer #>> '{}'", [], labels);
  const item = labelled('item', [], labels);
  return {
    sql: `(SELECT CASE jsonb_typeof(answer) WHEN 'array' THEN (SELECT string_agg(${item.sql}, '; ' ORDER BY place)
        FROM jsonb_array_elements_text(answer) WITH ORDINALITY AS items (item, place))
        ELSE ${one.sql} END FROM (SELECT ${answer} AS answer) AS given)`,
    values: [...item.values, ...one.values, ...place],
  };
}

/** The names of the files that a field was answered with, or their IDs. */
function filesOf(values: CellValues): string {
  return `(SELECT string_agg(${values === 'labels' ? 'file_name' : 'file.id'}, '; ' ORDER BY file.id) FROM forms_files AS file
    WHERE file.organization_id = forms_responses.organization_id AND file.response_id = forms_responses.id
      AND file.field_id = ?)`;
}
