import { loadOncePerTurn } from '../../db/load-once-per-turn.ts';
import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { holdResponses } from '../responses/admit.ts';
import {
  type AnsweredForm,
  type AnsweredRow,
  answeredOf,
  STORED_COLUMNS,
  STORED_PARTS,
  type StoredForm,
  type StoredRow,
  storedOf,
  VERSION_COLUMNS,
} from './rows.ts';

const STORED = `SELECT ${STORED_COLUMNS} FROM forms_forms AS form ${STORED_PARTS} WHERE form.organization_id = $1`;

const ANSWERED = `SELECT ${STORED_COLUMNS}, ${VERSION_COLUMNS} FROM forms_forms AS form ${STORED_PARTS}
  LEFT JOIN forms_versions AS version ON version.organization_id = form.organization_id AND version.form_id = form.id
    AND version.number = coalesce($3, form.published_version)`;

const BY_ID = `${ANSWERED} WHERE form.organization_id = $1 AND form.id = $2`;

const BY_SLUG = `${ANSWERED} WHERE form.organization_id = $1 AND form.status <> 'draft'
    AND form.id = (SELECT form_id FROM forms_slugs WHERE organization_id = $1 AND slug = $2)`;

type Asked = { id: string | null; slug: string | null; number: number | null };

/**
 * Forms with a version for many requests at once: those who ask in one moment ask mostly for the same one, which is read and parsed
 * once for all of them. Nobody changes what is answered.
 */
const lookUp = loadOncePerTurn<AnsweredForm>(async ({ connection, organization_id }, keys) => {
  const read = async (key: string) => {
    const { id, slug, number } = JSON.parse(key) as Asked;
    const [row] = await connection.query<AnsweredRow>(
      id === null ? BY_SLUG : BY_ID,
      [organization_id, id ?? slug, number],
      { alone: true },
    );
    return row ? [[key, answeredOf(row)] as const] : [];
  };
  return new Map((await Promise.all(keys.map(read))).flat());
});

async function answeredForm(reader: Reader, asked: Asked): Promise<AnsweredForm> {
  const found = await lookUp(reader, JSON.stringify(asked));
  if (!found) throw notFound();
  return found;
}

/** A form with its settings and counts. Errors: `not_found`. */
export async function storedForm({ connection, organization_id }: Reader, id: string): Promise<StoredForm> {
  const [row] = await connection.query<StoredRow>(`${STORED} AND form.id = $2`, [organization_id, id]);
  if (!row) throw notFound();
  return storedOf(row);
}

/** Forms by their IDs, of which there are as many as a list shows. */
export async function storedForms(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<(id: string) => StoredForm | undefined> {
  if (ids.length === 0) return () => undefined;
  const rows = await connection.query<StoredRow>(`${STORED} AND form.id = ${oneOf('$2')}`, [
    organization_id,
    ids,
  ]);
  const byId = new Map(rows.map((row) => [row.id, storedOf(row)]));
  return (id) => byId.get(id);
}

/**
 * The same, locked until the work commits: its row is locked before everything else of the form, by what changes it, its
 * settings and versions. Errors: `not_found`.
 */
export async function formForUpdate(work: Work, id: string): Promise<StoredForm> {
  const { connection, organization_id } = work;
  const [locked] = await connection.query(
    'SELECT FROM forms_forms WHERE organization_id = $1 AND id = $2 FOR UPDATE',
    [organization_id, id],
  );
  if (!locked) throw notFound();
  // Settings and counts as they are now that the lock is held.
  return storedForm(work, id);
}

/**
 * The same for what ends a form: submissions that are about to commit have done so, later ones see what became of it. Locks:
 * the form, then its counts. Errors: `not_found`.
 */
export async function endingForm(work: Work, id: string): Promise<StoredForm> {
  await formForUpdate(work, id);
  await holdResponses(work, id);
  // The counts as they are now that nobody adds to them.
  return storedForm(work, id);
}

/**
 * What the public finds under a slug, which may be a former one (then `form.slug` is another): the form, its settings and
 * the version that is answered, or the one of that number, in one statement. Archived forms are found. Errors: `not_found`,
 * also for a draft.
 */
export function publishedForm(
  reader: Reader,
  slug: string,
  number: number | null = null,
): Promise<AnsweredForm> {
  return answeredForm(reader, { id: null, slug, number });
}

/**
 * A form with one of its versions: that of the number, the published one where it is null; `version` is null where there is
 * none. One statement. Errors: `not_found` for an unknown form.
 */
export function formWithVersion(reader: Reader, id: string, number: number | null): Promise<AnsweredForm> {
  return answeredForm(reader, { id, slug: null, number });
}

/** The origins whose pages may call a published form, by its present slug or a former one; none for an unknown form. */
export async function embedOrigins(
  { connection, organization_id }: Reader,
  slug: string,
): Promise<readonly string[]> {
  const [row] = await connection.query<{ embed_origins: string[] }>(
    `SELECT embed_origins FROM forms_settings WHERE organization_id = $1
        AND form_id = (SELECT form_id FROM forms_slugs WHERE organization_id = $1 AND slug = $2)`,
    [organization_id, slug],
  );
  return row?.embed_origins ?? [];
}
