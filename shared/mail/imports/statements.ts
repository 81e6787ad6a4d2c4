/**
 * Hash and merge joins would read all contacts of an organization for each chunk, and a plan made while the table
 * was small would be kept: the bulk connection knows index lookups alone, planned anew each time.
 */
export const SETTINGS = `
  SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off; SET enable_material = off;
  SET enable_memoize = off; SET jit = off;
  SET plan_cache_mode = force_custom_plan; SET max_parallel_workers_per_gather = 0`;

/** Straight into the table, which refuses the whole chunk if one address is known. */
export const copyNew = (columns: string) => `COPY mail_contacts (${columns}) FROM STDIN (FORMAT binary)`;

export const copyStaged = (columns: string) =>
  `COPY mail_import_staging (${columns}) FROM STDIN (FORMAT binary)`;

export const createStaging = (columns: string) => `
  CREATE TEMP TABLE mail_import_staging ON COMMIT DELETE ROWS AS
  SELECT ${columns} FROM mail_contacts WITH NO DATA`;

/**
 * Whether a chunk may be written straight: no other import of the organization writes at the moment, and nothing is
 * suppressed. Chunks that are staged share the lock, and wait here for one that is not: those write addresses in no
 * order, and two such would wait for each other in a circle. $1 organization, $2 list.
 */
export const MAY_WRITE_STRAIGHT = `
  SELECT pg_try_advisory_xact_lock(hashtextextended('mail import ' || $1, 0))
         AND NOT EXISTS (SELECT FROM suppressions WHERE organization_id = $1) AS is_free,
         $2::text IS NULL OR EXISTS (SELECT FROM mail_lists WHERE organization_id = $1 AND id = $2) AS has_list`;

export const STAGE = `
  SELECT pg_advisory_xact_lock_shared(hashtextextended('mail import ' || $1, 0)) IS NULL AS is_free,
         $2::text IS NULL OR EXISTS (SELECT FROM mail_lists WHERE organization_id = $1 AND id = $2) AS has_list`;

/** Waits for the chunks that are staged or written straight, and keeps others waiting: $1 organization. */
export const ALONE = `SELECT pg_advisory_xact_lock(hashtextextended('mail import ' || $1, 0))`;

/** Whether any address of the organization must not be mailed: $1 organization. */
export const HAS_SUPPRESSIONS = `
  SELECT EXISTS (SELECT FROM suppressions WHERE organization_id = $1) AS has_some`;

/** Whether the organization has contacts that another source made: $1 organization, $2 import. */
export const HAS_OTHERS = `
  SELECT EXISTS (SELECT FROM mail_contacts WHERE organization_id = $1 AND import_id IS DISTINCT FROM $2) AS has_others`;

/** Those of addresses that must not be mailed: $1 organization, $2 addresses. */
export const SUPPRESSED_OF = `
  SELECT email_key FROM unnest($2::text[]) AS given (email_key)
   WHERE EXISTS (SELECT FROM suppressions WHERE organization_id = $1)
     AND EXISTS (SELECT FROM suppressions WHERE organization_id = $1
       AND email_hash = sha256(convert_to($1 || chr(10) || given.email_key, 'UTF8')))`;

/** Staged addresses that must not be mailed: $1 organization. */
export const SUPPRESSED = `
  SELECT staging.email_key FROM mail_import_staging AS staging
   WHERE EXISTS (SELECT FROM suppressions WHERE organization_id = $1)
     AND EXISTS (SELECT FROM suppressions WHERE organization_id = $1
       AND email_hash = sha256(convert_to($1 || chr(10) || staging.email_key, 'UTF8')))`;

/**
 * Makes contacts of the staged rows but those of $1, in the order of their keys, so that two imports of the same
 * addresses never wait for each other in a circle; known addresses are left.
 */
export const insertStaged = (columns: string) => `
  WITH added AS (
    INSERT INTO mail_contacts (${columns})
    SELECT ${columns} FROM mail_import_staging WHERE $1::text[] IS NULL OR email_key <> ALL ($1::text[])
     ORDER BY email_key
    ON CONFLICT (organization_id, email_key) DO NOTHING RETURNING 1)
  SELECT count(*)::int AS count FROM added`;

const KNOWN = `
         contact.id, contact.email_key, contact.email, contact.first_name, contact.last_name, contact.attributes,
         contact.consent, contact.status, contact.updated_at, contact.import_id IS NOT DISTINCT FROM $2 AS is_own,
         member.contact_id IS NOT NULL AS is_member, member.unsubscribed_at IS NOT NULL AS has_left,
         kept.outcome, kept.before, kept.changed_at`;

/** Each looked up by its whole key, whatever the planner believes of how few there are. */
const BESIDE = `
    LEFT JOIN LATERAL (SELECT contact_id, unsubscribed_at FROM mail_list_members
      WHERE organization_id = $1 AND list_id = $3 AND contact_id = contact.id LIMIT 1) AS member ON true
    LEFT JOIN LATERAL (SELECT outcome, before, changed_at FROM import_outcomes
      WHERE organization_id = $1 AND import_id = $2 AND key = contact.id LIMIT 1) AS kept ON true`;

/** Contacts that staged rows met, with the names that these say, locked in the order of their keys: $1 organization, $2 import, $3 list. */
export const MET = `
  SELECT ${KNOWN}, staging.first_name AS said_first_name, staging.last_name AS said_last_name
    FROM mail_import_staging AS staging
    JOIN mail_contacts AS contact ON contact.organization_id = $1 AND contact.email_key = staging.email_key
         AND contact.id <> staging.id
    ${BESIDE}
   ORDER BY staging.email_key FOR NO KEY UPDATE OF contact`;

/** The contacts of addresses: $1 organization, $2 import, $3 list, $4 keys. They are locked by this chunk already. */
export const REPEATED = `
  SELECT ${KNOWN}
    FROM mail_contacts AS contact ${BESIDE}
   WHERE contact.organization_id = $1 AND contact.email_key = ANY ($4)
   ORDER BY contact.email_key FOR NO KEY UPDATE OF contact`;

/** Writes changed contacts: $1 organization, $2 their new values. */
export const CHANGE = `
  UPDATE mail_contacts AS contact
     SET first_name = row.first_name, last_name = row.last_name, full_name = row.full_name,
         attributes = row.attributes, consent = row.consent, search_text = row.search_text,
         updated_at = row.updated_at
    FROM jsonb_to_recordset($2::jsonb) AS row (id text, first_name text, last_name text, full_name text,
         attributes jsonb, consent jsonb, search_text text, updated_at timestamptz)
   WHERE contact.organization_id = $1 AND contact.id = row.id`;

/** Puts those of a chunk's IDs that are contacts into the list: $1 organization, $2 import, $3 list, $4 time, $5 to $6. */
export const JOIN_NEW = `
  WITH added AS (
    INSERT INTO mail_list_members (organization_id, list_id, contact_id, added_at, import_id)
    SELECT $1, $3, id, $4, $2 FROM mail_contacts
     WHERE organization_id = $1 AND id >= $5 AND id <= $6 AND import_id = $2
    ON CONFLICT (organization_id, list_id, contact_id) DO NOTHING RETURNING 1)
  SELECT count(*)::int AS count FROM added`;

/** Puts the contacts of $5 into the list: $1 organization, $2 import, $3 list, $4 time. */
export const JOIN = `
  WITH added AS (
    INSERT INTO mail_list_members (organization_id, list_id, contact_id, added_at, import_id)
    SELECT $1, $3, id, $4, $2 FROM unnest($5::text[]) AS row (id)
    ON CONFLICT (organization_id, list_id, contact_id) DO NOTHING RETURNING 1)
  SELECT count(*)::int AS count FROM added`;
