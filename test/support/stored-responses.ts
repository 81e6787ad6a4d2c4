import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database } from '../../shared/db/database.ts';
import { defaultSettings, type KeptSettings } from '../../shared/forms/settings/record.ts';
import { newId } from '../../shared/kernel/id.ts';
import { emailKey } from '../../shared/mail/email-key.ts';
import { keepFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { TestApp } from './app.ts';
import { jobStep } from './jobs.ts';

/** A form with one page: an e-mail address, a text and files. */
export const ENQUIRY_WITH_FILES = {
  version: 1,
  locale: 'ja',
  pages: [
    {
      id: 'page_1',
      fields: [
        { id: 'email', type: 'email', label: 'メール' },
        { id: 'text', type: 'long_text', label: '内容' },
        { id: 'papers', type: 'file', label: '資料', max_files: 10, max_mib: 1, accept: ['pdf', 'csv'] },
        { id: 'notes', type: 'file', label: 'メモ', accept: ['txt', 'csv', 'zip'] },
      ],
    },
  ],
};

type Where = { database: Database; organization_id: string };

/** A published form, written past the operations. */
export async function storedForm(
  { database, organization_id }: Where,
  { schema = ENQUIRY_WITH_FILES, ...settings }: Partial<KeptSettings> & { schema?: object } = {},
): Promise<string> {
  const now = new Date();
  const at = now.toISOString();
  const id = newId('form', now);
  const text = JSON.stringify(schema);
  const { notify, receipt_mail, spam, crm, embed_origins, ...plain } = { ...defaultSettings, ...settings };
  await database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO forms_forms (organization_id, id, title, slug, status, schema_json, published_version, published_at,
         has_unpublished_changes, search_text, search_grams, created_at, updated_at)
       VALUES ($1, $2, 'お問い合わせ', $3, 'published', $4, 1, $5, false, '', '{}', $5, $5)`,
      [organization_id, id, id.replace('_', '-'), text, at],
    );
    await query('INSERT INTO forms_slugs VALUES ($1, $2, $3, true)', [
      organization_id,
      id.replace('_', '-'),
      id,
    ]);
    await query(
      `INSERT INTO forms_settings (organization_id, form_id, time_zone, one_per, access, embed_origins, notify,
         receipt_mail, allow_edit_hours, resume_days, retention_days, spam, crm, updated_at)
       VALUES ($1, $2, $3, 'none', 'open', $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        organization_id,
        id,
        plain.time_zone,
        JSON.stringify(embed_origins),
        JSON.stringify(notify),
        JSON.stringify(receipt_mail),
        plain.allow_edit_hours,
        plain.resume_days,
        plain.retention_days,
        JSON.stringify(spam),
        JSON.stringify(crm),
        at,
      ],
    );
    await query(
      `INSERT INTO forms_versions (organization_id, form_id, number, id, title, schema_json, sha256, published_at)
       VALUES ($1, $2, 1, $3, 'お問い合わせ', $4, $6, $5)`,
      [organization_id, id, newId('formv', now), text, at, hash('sha256', text)],
    );
  });
  return id;
}

type Response = {
  form_id: string;
  email?: string;
  is_spam?: boolean;
  submitted_at?: Date;
  crm_contact_id?: string | null;
  address_hash?: string | null;
};

/** A response with its e-mail answer, its event, its kept reply and its place in the counts, written past the operations. */
export async function storedResponse(
  { database, organization_id }: Where,
  { form_id, email = 'hanako@example.com', is_spam = false, submitted_at = new Date(), ...row }: Response,
): Promise<string> {
  const id = newId('resp', submitted_at);
  const at = submitted_at.toISOString();
  const data = { email, text: 'secret answer' };
  const shown = JSON.stringify({ id, object: 'forms.response', form_id, data, submitted_at: at });
  await database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO forms_responses (organization_id, id, form_id, form_version, data, locale, source, is_spam, search_text,
         search_grams, crm_contact_id, address_hash, submitted_at, updated_at)
       VALUES ($1, $2, $3, 1, $4, 'ja', 'public', $5, $6, '{}', $7, $8, $9, $9)`,
      [
        organization_id,
        id,
        form_id,
        JSON.stringify(data),
        is_spam,
        `${email} secret answer`,
        row.crm_contact_id ?? null,
        row.address_hash ?? null,
        at,
      ],
    );
    await query('INSERT INTO forms_emails VALUES ($1, $2, $3, $4, $5)', [
      organization_id,
      id,
      'email',
      form_id,
      emailKey(email),
    ]);
    await query(
      `INSERT INTO forms_counts AS known VALUES ($1, $2, 3, $3, $4, $5)
       ON CONFLICT (organization_id, form_id, slot) DO UPDATE SET response_count = known.response_count + $3,
         spam_count = known.spam_count + $4`,
      [organization_id, form_id, is_spam ? 0 : 1, is_spam ? 1 : 0, at],
    );
    if (!is_spam) {
      await query(`INSERT INTO events VALUES ($1, $2, 'forms.response.submitted', $3, NULL, NULL, $4)`, [
        organization_id,
        newId('evt', submitted_at),
        shown,
        at,
      ]);
    }
    await query(`INSERT INTO idempotency_keys VALUES ($1, $2, $2, 'f', 201, '{}', $3, $4)`, [
      organization_id,
      id,
      `{"response":${shown}}`,
      new Date().toISOString(),
    ]);
  });
  return id;
}

type Owner = { response_id?: string; partial_id?: string; created_at?: Date; address_hash?: string };

/** A file of a form in the store, claimed by a response or a partial where one is named. */
export async function storedFile(
  app: TestApp,
  { organization_id, form_id, ...owner }: { organization_id: string; form_id: string } & Owner,
): Promise<{ id: string; storage_key: string }> {
  const now = owner.created_at ?? new Date();
  const body = Readable.from([Buffer.from('%PDF-1.7 secret')], { objectMode: false });
  const place = { organization_id, area: 'forms', limit: 1_000, now: new Date() };
  const { storage_key, sha256, size } = await storeFile(app.context, { ...place, body });
  const id = newId('ffile', now);
  await jobStep(app, organization_id, async (work) => {
    await keepFile(work, storage_key);
    work.insert(
      { tableName: 'forms_files' },
      {
        id,
        form_id,
        field_id: 'papers',
        response_id: owner.response_id ?? null,
        partial_id: owner.partial_id ?? null,
        address_hash: owner.address_hash ?? null,
        file_name: 'secret.pdf',
        size_bytes: size,
        content_type: 'application/pdf',
        sha256,
        storage_key,
        created_at: now.toISOString(),
      },
    );
  });
  return { id, storage_key };
}

/** A saved partial with the address among its answers, written past the operations. */
export async function storedPartial(
  { database, organization_id }: Where,
  {
    form_id,
    email = 'hanako@example.com',
    expires_at,
  }: { form_id: string; email?: string; expires_at: Date },
): Promise<string> {
  const now = new Date();
  const id = newId('fpart', now);
  await database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO forms_partials (organization_id, id, form_id, form_version, nonce_hash, form_token, data, email_keys,
         locale, created_at, updated_at, expires_at)
       VALUES ($1, $2, $3, 1, $2, '', $4, $5, 'ja', $6, $6, $7)`,
      [
        organization_id,
        id,
        form_id,
        JSON.stringify({ email, text: 'secret answer' }),
        JSON.stringify([emailKey(email)]),
        now.toISOString(),
        expires_at.toISOString(),
      ],
    ),
  );
  return id;
}

/** Every row of the tables that may show what somebody answered, as text. */
export async function everythingKept({ database, organization_id }: Where): Promise<string> {
  return database.withConnection(organization_id, async ({ query }) => {
    const texts: string[] = [];
    for (const table of [
      'forms_responses',
      'forms_emails',
      'forms_files',
      'forms_partials',
      'forms_erasures',
      'forms_invitations',
      'files',
      'events',
      'audit_logs',
      'idempotency_keys',
      'outbox',
      'jobs',
      'mails',
    ]) {
      const rows = await query<{ text: string }>(
        `SELECT row_to_json(kept)::text AS text FROM ${table} AS kept WHERE organization_id = $1`,
        [organization_id],
      );
      texts.push(...rows.map(({ text }) => text));
    }
    return texts.join('\n');
  });
}

/** The counts of a form as the API sums them. */
export async function countsOf(
  { database, organization_id }: Where,
  form_id: string,
): Promise<{ responses: number; spam: number }> {
  const [counts] = await database.withConnection(organization_id, ({ query }) =>
    query<{ responses: number; spam: number }>(
      `SELECT sum(response_count)::integer AS responses, sum(spam_count)::integer AS spam
         FROM forms_counts WHERE organization_id = $1 AND form_id = $2`,
      [organization_id, form_id],
    ),
  );
  return counts!;
}
