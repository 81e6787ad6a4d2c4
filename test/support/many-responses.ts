import type { Database } from '../../shared/db/database.ts';
import { responseSearch } from '../../shared/forms/responses/search.ts';
import { defaultSettings } from '../../shared/forms/settings/record.ts';
import { DAY } from '../../shared/kernel/days.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { TestActor } from './actors.ts';
import { fill } from './many-records.ts';

type Owner = Pick<TestActor, 'organization_id' | 'user_id'>;

/** The field of a schema as far as the tests write it. */
export type SeededField = { id: string; type: string } & Record<string, unknown>;

/** A schema of one page with these fields, and what else is given. */
export function schemaWith(fields: readonly SeededField[], more: Record<string, unknown> = {}): string {
  return JSON.stringify({ version: 1, locale: 'ja', pages: [{ id: 'first_page', fields }], ...more });
}

/** A published form with a version for each of the schemas, as rows. */
export async function seedForm(
  database: Database,
  owner: Owner,
  schemas: readonly string[],
): Promise<{ form_id: string }> {
  const now = new Date();
  const at = now.toISOString();
  const id = newId('form', now);
  const form = {
    organization_id: owner.organization_id,
    id,
    title: 'お問い合わせ',
    slug: id.slice(-10),
    status: 'published',
    schema_json: schemas.at(-1)!,
    published_version: schemas.length,
    published_at: at,
    archived_at: null,
    has_unpublished_changes: false,
    external_id: null,
    metadata: {},
    search_text: 'お問い合わせ',
    search_grams: [],
    created_by: owner.user_id,
    created_at: at,
    updated_at: at,
  };
  const versions = schemas.map((schema_json, place) => ({
    organization_id: owner.organization_id,
    form_id: id,
    number: place + 1,
    id: newId('formv', now),
    title: 'お問い合わせ',
    schema_json,
    sha256: String(place),
    published_at: at,
    published_by: owner.user_id,
  }));
  const settings = {
    organization_id: owner.organization_id,
    form_id: id,
    ...defaultSettings,
    updated_at: at,
  };
  const counts = Array.from({ length: 16 }, (_, slot) => ({
    organization_id: owner.organization_id,
    form_id: id,
    slot,
    response_count: 0,
    spam_count: 0,
  }));
  for (const [table, rows] of [
    ['forms_forms', [form]],
    ['forms_settings', [settings]],
    ['forms_versions', versions],
    ['forms_counts', counts],
  ] as const) {
    const names = Object.keys(rows[0]!).join(', ');
    await database.withConnection(owner.organization_id, ({ query }) =>
      query(
        `INSERT INTO ${table} (${names}) SELECT ${names} FROM jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [JSON.stringify(rows)],
      ),
    );
  }
  return { form_id: id };
}

/** What one of many responses differs in. */
export type SeededResponse = {
  form_version?: number;
  data: Record<string, unknown>;
  is_spam?: boolean;
  ending_id?: string | null;
  source?: 'page' | 'public' | 'api';
  status?: string;
  assignee_id?: string | null;
  hidden?: Record<string, string>;
  scores?: Record<string, string>;
};

/** Responses of a form, one minute apart, the newest last; `fields` are those that search reads. */
export async function seedResponses(
  database: Database,
  owner: Owner,
  { form_id, fields }: { form_id: string; fields: readonly SeededField[] },
  count: number,
  response: (n: number) => SeededResponse,
): Promise<string[]> {
  let spam = 0;
  const ids = await fill(database, owner, 'forms_responses', 'resp', count, (n, { created_at }) => {
    const { form_version = 1, ending_id = null, source = 'public', data, ...given } = response(n);
    if (given.is_spam) spam += 1;
    const row = {
      form_id,
      form_version,
      data,
      hidden: {},
      scores: {},
      dropped_fields: [],
      ending_id,
      locale: 'ja',
      source,
      is_spam: false,
      spam_reasons: given.is_spam ? ['honeypot'] : [],
      status: 'open',
      assignee_id: null,
      crm_status: 'none',
      ...given,
      ...responseSearch({ form_id, form_version, source, ending_id, data }, fields),
      submitted_at: created_at,
      created_at: undefined,
    };
    return row;
  });
  await database.withConnection(owner.organization_id, ({ query }) =>
    query(
      `UPDATE forms_counts SET response_count = response_count + $3, spam_count = spam_count + $4
        WHERE organization_id = $1 AND form_id = $2 AND slot = 0`,
      [owner.organization_id, form_id, count - spam, spam],
    ),
  );
  return ids;
}

/** Saved partials, one with the address that is looked for, twenty at their end. */
export function seedPartials(
  database: Database,
  owner: Owner,
  form_id: string,
  count: number,
): Promise<string[]> {
  return fill(database, owner, 'forms_partials', 'fpart', count, (n, { created_at }) => ({
    form_id,
    form_version: 2,
    nonce_hash: String(n),
    form_token: '',
    data: {},
    hidden: {},
    email_keys: [n === 77 ? 'rare@example.jp' : `person${n}@example.jp`],
    locale: 'ja',
    expires_at: n % 500 === 0 ? created_at : new Date(Date.now() + DAY).toISOString(),
  }));
}

/** An address of its own for each response. */
export async function seedEmails(
  database: Database,
  owner: Owner,
  { form_id, ids }: { form_id: string; ids: readonly string[] },
): Promise<void> {
  await database.withConnection(owner.organization_id, ({ query }) =>
    query(
      `INSERT INTO forms_emails (organization_id, response_id, field_id, form_id, email_key)
       SELECT $1, id, 'email', $2, 'person' || id || '@example.jp' FROM unnest($3::text[]) AS id`,
      [owner.organization_id, form_id, ids],
    ),
  );
}

/** Invitations, each to an address of its own. */
export function seedInvitations(
  database: Database,
  owner: Owner,
  form_id: string,
  count: number,
): Promise<string[]> {
  return fill(database, owner, 'forms_invitations', 'finv', count, (n) => ({
    form_id,
    email: `person${n}@example.jp`,
    email_key: `person${n}@example.jp`,
    hidden: {},
  }));
}

/** Files of every fourth response, and as many that were never submitted. */
export function seedFiles(
  database: Database,
  owner: Owner,
  { form_id, ids }: { form_id: string; ids: readonly string[] },
): Promise<string[]> {
  return fill(database, owner, 'forms_files', 'ffile', ids.length / 4, (n) => ({
    form_id,
    field_id: 'papers',
    response_id: n % 8 === 0 ? null : ids[n * 4],
    file_name: 'plan.pdf',
    size_bytes: 1_000,
    content_type: 'application/pdf',
    sha256: '0'.repeat(64),
    storage_key: `${form_id}/${n}`,
    updated_at: undefined,
  }));
}
