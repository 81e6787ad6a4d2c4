import type { Reader } from '../../kernel/reader.ts';
import type { ValueName } from '../content/placeholders.ts';
import { type Bind, compileFilter } from '../segments/compile.ts';
import { conditionsOf, type SegmentFilter } from '../segments/filter.ts';
import type { SkipReason } from './words.ts';

/** What of a campaign decides whether a contact may be mailed. */
export type MailingRules = {
  purpose: 'advertisement' | 'notice';
  /** Whether it is for mail order, the settings looked at. */
  mail_order: boolean;
  list_ids: readonly string[];
  /** Of a campaign under way: the lists that its segment asks about. Who leaves one after it began gets nothing. */
  asked_lists?: { list_ids: readonly string[]; began: string };
};

/** Whom a campaign is for, and what its mails need. */
export type Audience = MailingRules & {
  exclude_list_ids: readonly string[];
  /** Of its segment; null where it has none. */
  filter: SegmentFilter | null;
  /** What each mail needs a value for. */
  needed: readonly ValueName[];
};

/** How many contacts an audience has, and how many of them may be mailed. */
export type AudienceCounts = {
  matched: number;
  eligible: number;
  skipped_by: Partial<Record<SkipReason, number>>;
};

/** SQL about rows of `mail_contacts AS contact`, for a statement whose `$1` is the organization. */
type AudienceSql = {
  /** Whether a contact is in the audience. */
  isMatched: string;
  /** The hash of its address. */
  email_hash: string;
  /** Why it gets no mail: the first reason that applies; null where it gets one. */
  reason: string;
};

/** RFC 5321 4.5.3.1. */
const LONGEST_LOCAL_PART = 64;
const LONGEST_ADDRESS = 254;

/** The cases of the anti-spam act (特定電子メール法, Art. 3(1)); for mail order the consent alone (特定商取引法, Art. 12-3). */
const BASES = ['consent', 'address_notified', 'relationship', 'published'];
const MAIL_ORDER_BASES = ['consent'];

/** The hash of the address of a contact, as `suppressionHash` makes it. */
export const EMAIL_HASH = `sha256(convert_to(contact.organization_id || chr(10) || contact.email_key, 'UTF8'))`;

/** SQL over rows of `mail_contacts AS contact`: whether the person lets opens and clicks be counted. */
export const AGREES_TO_TRACKING = "coalesce(contact.consent ->> 'tracking' = 'true', false)";

/**
 * The audience of a campaign as SQL. `now` is what its filter counts from; with `began` memberships and contacts of later are
 * left out. To be run with `{ prepared: false }`.
 */
export function audienceSql(
  audience: Audience,
  bind: Bind,
  { now, began = null }: { now: Date; began?: string | null },
): AudienceSql {
  const { list_ids, exclude_list_ids, filter, needed } = audience;
  const of = (ids: readonly string[]) =>
    `SELECT FROM mail_list_members AS member WHERE member.organization_id = $1
       AND member.contact_id = contact.id AND member.list_id = ANY (${bind(ids)}::text[])`;
  const conditions: string[] = [];
  if (list_ids.length > 0) {
    const inTime = began === null ? '' : ` AND member.added_at <= ${bind(began)}::timestamptz`;
    conditions.push(`EXISTS (${of(list_ids)}${inTime})`);
  }
  if (filter) conditions.push(compileFilter(filter, bind, now));
  if (conditions.length === 0) conditions.push('false');
  if (exclude_list_ids.length > 0) conditions.push(`NOT EXISTS (${of(exclude_list_ids)})`);
  if (began !== null) conditions.push(`contact.created_at <= ${bind(began)}::timestamptz`);
  // Who is in the segment only by a list that they have left has refused what goes to it.
  const left = filter && asksAboutLists(filter) ? [`NOT ${compileFilter(filter, bind, now, true)}`] : [];
  return {
    isMatched: `(${conditions.join(' AND ')})`,
    email_hash: EMAIL_HASH,
    reason: `coalesce(${refusalSql(audience, EMAIL_HASH, bind, left)},
      CASE WHEN ${missingSql(needed, bind)} THEN 'missing_value' WHEN ${INVALID} THEN 'invalid_address' END)`,
  };
}

/**
 * SQL of why a contact must not be mailed now, by the first four reasons; null where it may be. It is asked at the start and
 * again by the statement that marks a recipient as `sending`, for rows of `mail_contacts AS contact` and a statement whose `$1` is
 * the organization. `email_hash` is SQL of the hash of the address that the mail goes to; `left`: SQL of what else is a refusal.
 */
export function refusalSql(
  { purpose, mail_order, list_ids, asked_lists }: MailingRules,
  email_hash: string,
  bind: Bind,
  left: readonly string[] = [],
): string {
  const refused = ["contact.status = 'unsubscribed'", ...left];
  if (list_ids.length > 0) refused.push(leftSql(list_ids, bind));
  if (asked_lists && asked_lists.list_ids.length > 0) refused.push(leftSinceSql(asked_lists, bind));
  const noConsent =
    purpose === 'advertisement' ? `WHEN ${noConsentSql(mail_order, bind)} THEN 'no_consent'` : '';
  return `CASE WHEN ${refused.join(' OR ')} THEN 'unsubscribed'
    WHEN contact.status = 'bounced' THEN 'bounced'
    WHEN EXISTS (SELECT FROM suppressions AS suppression WHERE suppression.organization_id = $1
      AND suppression.email_hash = ${email_hash}) THEN 'suppressed'
    ${noConsent} END`;
}

function noConsentSql(mail_order: boolean, bind: Bind): string {
  const bases = bind(mail_order ? MAIL_ORDER_BASES : BASES);
  return `coalesce(contact.consent ->> 'basis' <> ALL (${bases}::text[]), true)`;
}

/**
 * Who has left a list is still in it, as the record of that; of a list that was removed since, that is kept apart. A list that
 * somebody else took the contact out of refuses nothing.
 */
function leftSql(list_ids: readonly string[], bind: Bind): string {
  const lists = `${bind(list_ids)}::text[]`;
  const of = (table: string) => `SELECT FROM ${table} AS left_or_not WHERE left_or_not.organization_id = $1
    AND left_or_not.contact_id = contact.id AND left_or_not.list_id = ANY (${lists})`;
  const member = of('mail_list_members');
  return `((EXISTS (${member} AND left_or_not.unsubscribed_at IS NOT NULL) OR EXISTS (${of('mail_left_lists')}))
    AND NOT EXISTS (${member} AND left_or_not.unsubscribed_at IS NULL))`;
}

function leftSinceSql({ list_ids, began }: NonNullable<MailingRules['asked_lists']>, bind: Bind): string {
  return `EXISTS (SELECT FROM mail_list_members AS member WHERE member.organization_id = $1
    AND member.contact_id = contact.id AND member.list_id = ANY (${bind(list_ids)}::text[])
    AND member.unsubscribed_at >= ${bind(began)}::timestamptz)`;
}

function asksAboutLists(filter: SegmentFilter): boolean {
  return conditionsOf(filter).some(({ field }) => field === 'list_id');
}

const names: readonly ValueName[] = ['first_name', 'last_name', 'full_name'];

/** Whether a contact may lack a value: what a mail takes from elsewhere is there for every one. */
export function isOfContact(name: ValueName): boolean {
  return names.includes(name) || name.startsWith('attributes.');
}

/** Whether a contact lacks any of the values. */
function missingSql(needed: readonly ValueName[], bind: Bind): string {
  const missing = needed.flatMap((name) => {
    if (name === 'first_name' || name === 'last_name') return [`coalesce(contact.${name}, '') = ''`];
    if (name === 'full_name')
      return [`coalesce(contact.first_name, '') || coalesce(contact.last_name, '') = ''`];
    if (!name.startsWith('attributes.')) return [];
    return [`coalesce(contact.attributes ->> ${bind(name.slice('attributes.'.length))}::text, '') = ''`];
  });
  return missing.length === 0 ? 'false' : `(${missing.join(' OR ')})`;
}

/**
 * What SMTP cannot take. Addresses are held to the rule of HTML when they are saved, so that rule is not asked of each again: a
 * regular expression would take longer than all the rest.
 */
export const INVALID = `(length(contact.email) > ${LONGEST_ADDRESS} OR octet_length(contact.email) > length(contact.email)
  OR strpos(contact.email, '@') NOT BETWEEN 2 AND ${LONGEST_LOCAL_PART + 1} OR contact.email LIKE '%@%@%'
  OR contact.email LIKE '%@' OR translate(contact.email, E' \\t\\r\\n<>', '') <> contact.email)`;

/** How many contacts an audience has now, by why they get no mail. */
export async function countAudience(
  { connection, organization_id, now }: Reader,
  audience: Audience,
): Promise<AudienceCounts> {
  const values: unknown[] = [organization_id];
  const { isMatched, reason } = audienceSql(audience, (value) => `$${values.push(value)}`, { now });
  const rows = await connection.query<{ reason: SkipReason | null; count: number }>(
    `SELECT reason, count(*)::int AS count
       FROM (SELECT ${reason} AS reason FROM mail_contacts AS contact
              WHERE contact.organization_id = $1 AND ${isMatched}) AS asked
      GROUP BY reason`,
    values,
    { prepared: false },
  );
  const counts = new Map(rows.map((row) => [row.reason, row.count]));
  const skipped = [...counts].filter((each): each is [SkipReason, number] => each[0] !== null);
  return {
    matched: rows.reduce((sum, { count }) => sum + count, 0),
    eligible: counts.get(null) ?? 0,
    skipped_by: Object.fromEntries(skipped),
  };
}
