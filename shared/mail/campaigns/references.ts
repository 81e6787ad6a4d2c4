import { oneOf } from '../../db/one-of.ts';
import { invalid, unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { emailKey } from '../email-key.ts';
import { mailSettingsOf } from '../settings/queries.ts';
import type { MailSettings } from '../settings/record.ts';
import type { Campaign } from './record.ts';

type Referring = Pick<Campaign, 'list_ids' | 'exclude_list_ids' | 'segment_id' | 'template_id'>;

/**
 * Sees that the lists, the segment and the template that a campaign names anew are there, and holds them until the work commits.
 * Errors: `unknown_reference`.
 */
export async function requireReferences(
  work: Work,
  before: Referring | null,
  after: Referring,
): Promise<void> {
  const known = new Set([
    ...(before?.list_ids ?? []),
    ...(before?.exclude_list_ids ?? []),
    before?.segment_id,
    before?.template_id,
  ]);
  const named = [
    ...after.list_ids.map((id, index) => ({ id, table: 'mail_lists', path: `/list_ids/${index}` })),
    ...after.exclude_list_ids.map((id, index) => ({
      id,
      table: 'mail_lists',
      path: `/exclude_list_ids/${index}`,
    })),
    { id: after.segment_id, table: 'mail_segments', path: '/segment_id' },
    { id: after.template_id, table: 'mail_templates', path: '/template_id' },
  ].flatMap(({ id, ...more }) => (id === null || known.has(id) ? [] : [{ id, ...more }]));
  for (const table of ['mail_lists', 'mail_segments', 'mail_templates']) {
    await requireAll(
      work,
      table,
      named.filter((each) => each.table === table),
    );
  }
}

async function requireAll(
  { connection, organization_id }: Work,
  table: string,
  named: readonly { id: string; path: string }[],
): Promise<void> {
  if (named.length === 0) return;
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id FOR KEY SHARE`,
    [organization_id, named.map(({ id }) => id)],
  );
  const found = new Set(rows.map(({ id }) => id));
  const missing = named.find(({ id }) => !found.has(id));
  if (missing) throw unknownReference(missing.path, missing.id);
}

/**
 * Sees that a campaign comes from a domain of the organization: that of `default_from_email`, or of a DKIM key.
 * Errors: `validation_failed` with `domain_not_allowed` at /from_email.
 */
export async function requireOwnDomain(reader: Reader, from_email: string | null): Promise<void> {
  if (from_email === null || isOwnDomain(from_email, await mailSettingsOf(reader))) return;
  const domain = domainOf(from_email);
  throw invalid('/from_email', 'domain_not_allowed', {
    en: `from_email must be of the domain of default_from_email or of a DKIM key; ${domain} is not`,
    ja: `from_email には、設定の default_from_email またはDKIM鍵のドメインのアドレスを指定してください（${domain} は使えません）`,
  });
}

/** Whether an address is of the domain of `default_from_email`, or of a DKIM key. */
export function isOwnDomain(
  from_email: string,
  { default_from_email, dkim_keys }: Pick<MailSettings, 'default_from_email' | 'dkim_keys'>,
): boolean {
  const domain = domainOf(from_email);
  if (default_from_email !== null && domainOf(default_from_email) === domain) return true;
  return dkim_keys.some((key) => key.domain === domain);
}

function domainOf(email: string): string {
  const key = emailKey(email);
  return key.slice(key.lastIndexOf('@') + 1);
}
