import type { Language } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Field, Option, Schema } from '../schema/schema.ts';
import type { Words } from '../schema/texts.ts';

/** A field as all versions of a form have it together: its newest label, and every option that it ever had. */
export type KnownField = {
  id: string;
  type: Field['type'];
  label: Words;
  /** Options, or the columns of a matrix: those of the newest version in its order, then vanished ones, the latest first. */
  options: Option[];
  rows: Option[];
  has_kana: boolean;
  /** The numbers of the versions that have the field. */
  versions: number[];
};

/** What all versions of a form have together. */
export type Catalogue = {
  locale: Language;
  /** The newest version's in its order, then vanished ones, the latest first. */
  fields: KnownField[];
  page_ids: string[];
  hidden: string[];
  scores: string[];
};

type Numbered = { number: number; schema_json: string };

/** A few at a time: the text of a version may have 256 KiB. */
const TOGETHER = 20;

/** The catalogue of a form; null before its first version. */
export async function catalogueOf(
  { connection, organization_id }: Reader,
  form_id: string,
): Promise<Catalogue | null> {
  let catalogue: Catalogue | null = null;
  let before = 2 ** 31 - 1;
  for (;;) {
    const versions = await connection.query<Numbered>(
      `SELECT number, schema_json FROM forms_versions
        WHERE organization_id = $1 AND form_id = $2 AND number < $3 ORDER BY number DESC LIMIT ${TOGETHER}`,
      [organization_id, form_id, before],
    );
    for (const version of versions) catalogue = withVersion(catalogue, version);
    if (versions.length < TOGETHER) return catalogue;
    before = versions.at(-1)!.number;
  }
}

/** A catalogue with what an older version adds to it. */
export function withVersion(
  catalogue: Catalogue | null,
  { number, schema_json }: { number: number; schema_json: string },
): Catalogue {
  // It was judged when it was published.
  const schema = JSON.parse(schema_json) as Schema;
  const { locale, fields, page_ids, hidden, scores } = catalogue ?? {
    locale: schema.locale,
    fields: [],
    page_ids: [],
    hidden: [],
    scores: [],
  };
  const known = new Map(fields.map((field) => [field.id, field]));
  for (const field of schema.pages.flatMap((page) => page.fields)) {
    const earlier = known.get(field.id);
    known.set(field.id, earlier ? joined(earlier, field, number) : ofVersion(field, number));
  }
  return {
    locale,
    fields: [...known.values()],
    page_ids: union(
      page_ids,
      schema.pages.map(({ id }) => id),
    ),
    hidden: union(hidden, schema.hidden ?? []),
    scores: union(
      scores,
      (schema.scores ?? []).map(({ name }) => name),
    ),
  };
}

function ofVersion(field: Field, number: number): KnownField {
  const { id, type, label } = field;
  const { rows, has_kana } = partsOf(field);
  return { id, type, label, options: optionsOf(field), rows, has_kana, versions: [number] };
}

function joined(known: KnownField, field: Field, number: number): KnownField {
  const { rows, has_kana } = partsOf(field);
  return {
    ...known,
    options: unionById(known.options, optionsOf(field)),
    rows: unionById(known.rows, rows),
    has_kana: known.has_kana || has_kana,
    versions: [...known.versions, number],
  };
}

function optionsOf(field: Field): Option[] {
  if (field.type === 'matrix') return field.columns;
  return 'options' in field ? field.options : [];
}

function partsOf(field: Field): Pick<KnownField, 'rows' | 'has_kana'> {
  return {
    rows: field.type === 'matrix' ? field.rows : [],
    has_kana: field.type === 'name' && field.kana === true,
  };
}

function unionById(known: readonly Option[], more: readonly Option[]): Option[] {
  return [...known, ...more.filter(({ id }) => !known.some((one) => one.id === id))];
}

function union(known: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...known, ...more])];
}
