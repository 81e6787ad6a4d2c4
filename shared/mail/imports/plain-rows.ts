import type { Work } from '../../kernel/work.ts';
import type { OutcomeCounts } from '../../platform/imports/domain.ts';
import { MOST_ATTRIBUTES } from '../contacts/record.ts';
import { unindexedDue } from '../contacts/search-index.ts';
import type { Rules } from './decide.ts';
import { lostAnAddress } from './met.ts';
import type { Prepared } from './staging.ts';

export type PlainOptions = {
  import_id: string;
  rules: Rules;
  list_id: string | null;
  /** Whether staged rows have attributes. */
  takes_attributes: boolean;
  /** Whether a name that a staged row lacks may be one that it clears. */
  takes_whole_names: boolean;
};

/** How many rows were settled, of how many that met a contact. */
export type Settled = { met: number; settled: number };

/**
 * Settles the staged rows of known contacts that the database itself can decide, so that none of them travels, and takes
 * them out of the staging if any are left there: a list that the organization has already is little else. All that is in
 * doubt is left where it is: `decide.ts` has the whole rule, and this is a part of it.
 */
export function plainRows(options: PlainOptions) {
  const { import_id, rules, list_id } = options;
  const is_skipping = rules.on_conflict === 'skip';
  const same_text = sameStatement(options);
  const renamed_text = rules.on_conflict === 'update' ? renamedStatement(options) : null;
  const values = (work: Work, chunk: Prepared, suppressed: ReadonlySet<string>) => [
    work.organization_id,
    import_id,
    list_id,
    doubtfulKeys(chunk, suppressed),
  ];

  return {
    /**
     * The rows that change nothing; their contacts are neither written nor locked. Adds to the counts what became of them, each
     * the first of its address in the chunk.
     */
    async same(
      work: Work,
      chunk: Prepared,
      suppressed: ReadonlySet<string>,
      counts: OutcomeCounts,
    ): Promise<Settled> {
      const rows = await work.connection.query<Settled & { noted: number }>(same_text, [
        ...values(work, chunk, suppressed),
        chunk.keys.size,
      ]);
      const { met, settled, noted } = rows[0]!;
      counts[is_skipping ? 'skipped' : 'unchanged'] += noted;
      counts.duplicate += settled - noted;
      return { met, settled };
    },

    /**
     * Those that only call somebody otherwise. All contacts that staged rows meet are locked then. `left`: how many rows are not
     * settled yet.
     */
    async renamed(
      work: Work,
      chunk: Prepared,
      suppressed: ReadonlySet<string>,
      left: number,
    ): Promise<Settled> {
      if (renamed_text === null) return { met: 0, settled: 0 };
      const times = [work.now.toISOString(), unindexedDue(work.now)];
      const rows = await work.connection.query<Settled & { written: number }>(renamed_text, [
        ...values(work, chunk, suppressed),
        ...times,
        left,
      ]);
      const { met, settled, written } = rows[0]!;
      // Where somebody wrote a contact while it was waited for, its new version is none that this statement finds.
      if (written !== settled) throw lostAnAddress();
      return { met, settled };
    },
  };
}

/** The rows of these say more than their first staged row, or something that is not in it. */
function doubtfulKeys(
  { repeats, attributes }: Prepared,
  suppressed: ReadonlySet<string>,
): readonly string[] | null {
  const many = [...attributes].flatMap(([key, all]) =>
    Object.keys(all).length > MOST_ATTRIBUTES ? [key] : [],
  );
  const keys = [...suppressed, ...repeats.keys(), ...many];
  return keys.length === 0 ? null : keys;
}

/**
 * $1 organization, $2 import, $3 list, $4 keys that are left. What stands beside a contact is a subquery with LIMIT: EXISTS
 * may become a hash of all that the import has met so far, for each chunk.
 */
const IS_MET = 'contact.organization_id = $1 AND contact.email_key = staging.email_key';
const MAY_SETTLE = `contact.status = 'active' AND contact.import_id IS DISTINCT FROM $2
       AND ($4::text[] IS NULL OR staging.email_key <> ALL ($4::text[]))`;

/** $5: how many rows are staged. */
function sameStatement(options: PlainOptions): string {
  const { on_conflict } = options.rules;
  const is_same =
    on_conflict === 'skip' ? 'true' : `${namesAreSame(options)} AND ${saysNothingElse(options)}`;
  return `
  WITH met AS MATERIALIZED (
    SELECT staging.ctid AS place, contact.id, ${MAY_SETTLE} AND ${isInPlace(options)} AND ${is_same} AS is_same
      FROM mail_import_staging AS staging JOIN mail_contacts AS contact ON ${IS_MET}
  ), gone AS (
    DELETE FROM mail_import_staging AS staging USING met WHERE met.is_same AND staging.ctid = met.place
       AND (SELECT count(*) FROM met WHERE is_same) < $5
  ), noted AS (
    INSERT INTO import_outcomes (organization_id, import_id, key, outcome)
    SELECT $1, $2, id, '${on_conflict === 'skip' ? 'skipped' : 'unchanged'}' FROM met WHERE is_same
    ON CONFLICT (organization_id, import_id, key) DO NOTHING RETURNING 1)
  SELECT count(*)::int AS met, (count(*) FILTER (WHERE is_same))::int AS settled,
         (SELECT count(*) FROM noted)::int AS noted FROM met`;
}

/**
 * Contacts whose names become those of the row, and nothing else of them: then what searches look through is the row's
 * own. All that are met are locked at once, in the order of their keys: in two turns two imports could wait for each other
 * in a circle. They are written where they were locked, without another look at an index. $5 now, $6 when the
 * letters are due, $7 how many rows are left.
 */
function renamedStatement(options: PlainOptions): string {
  return `
  WITH held AS MATERIALIZED (
    SELECT staging.ctid AS place, contact.ctid AS version, contact.id, contact.first_name AS first_before, contact.last_name AS last_before,
           staging.first_name, staging.last_name, staging.full_name, staging.search_text,
           greatest($5::timestamptz, contact.updated_at + interval '1 millisecond') AS changed_at,
           ${MAY_SETTLE} AND ${isInPlace(options)} AND staging.email = contact.email
             AND (staging.first_name IS NOT NULL OR contact.first_name IS NULL)
             AND (staging.last_name IS NOT NULL OR contact.last_name IS NULL)
             AND ${saysNothingElse(options)}
             AND (SELECT outcome FROM import_outcomes
               WHERE organization_id = $1 AND import_id = $2 AND key = contact.id LIMIT 1) IS NULL AS is_plain
      FROM mail_import_staging AS staging JOIN mail_contacts AS contact
           ON ${IS_MET} AND contact.id <> staging.id
     ORDER BY staging.email_key FOR NO KEY UPDATE OF contact
  ), renamed AS MATERIALIZED (
    SELECT * FROM held WHERE is_plain
       AND (first_before IS DISTINCT FROM first_name OR last_before IS DISTINCT FROM last_name)
  ), gone AS (
    DELETE FROM mail_import_staging AS staging USING renamed WHERE staging.ctid = renamed.place
       AND (SELECT count(*) FROM renamed) < $7
  ), written AS (
    UPDATE mail_contacts AS contact
       SET first_name = renamed.first_name, last_name = renamed.last_name, full_name = renamed.full_name,
           search_text = renamed.search_text, updated_at = renamed.changed_at
      FROM renamed WHERE contact.organization_id = $1 AND contact.ctid = renamed.version RETURNING 1
  ), noted AS (
    INSERT INTO import_outcomes (organization_id, import_id, key, outcome, before, changed_at)
    SELECT $1, $2, id, 'updated', CASE
             WHEN first_before IS NOT DISTINCT FROM first_name
             THEN jsonb_build_object('last_name', jsonb_build_array(last_before, last_name))
             WHEN last_before IS NOT DISTINCT FROM last_name
             THEN jsonb_build_object('first_name', jsonb_build_array(first_before, first_name))
             ELSE jsonb_build_object('first_name', jsonb_build_array(first_before, first_name),
               'last_name', jsonb_build_array(last_before, last_name)) END, changed_at
      FROM renamed
  ), unindexed AS (
    INSERT INTO mail_contacts_unindexed (organization_id, contact_ids, due_at)
    SELECT $1, array_agg(id), $6::timestamptz FROM renamed HAVING count(*) > 0)
  SELECT (SELECT count(*) FROM held)::int AS met, count(*)::int AS settled,
         (SELECT count(*) FROM written)::int AS written FROM renamed`;
}

/** Whether the contact has the place in the list that the row asks for. */
function isInPlace({ list_id, rules }: PlainOptions): string {
  if (list_id === null) return '$3::text IS NULL';
  const member = (condition: string) => `(SELECT true FROM mail_list_members AS member
      WHERE member.organization_id = $1 AND member.list_id = $3 AND member.contact_id = contact.id
        AND member.unsubscribed_at ${condition} LIMIT 1)`;
  return rules.on_conflict === 'skip'
    ? `${member('IS NOT NULL')} IS NULL`
    : `${member('IS NULL')} IS NOT NULL`;
}

function namesAreSame({ rules, takes_whole_names }: PlainOptions): string {
  const names = ['first_name', 'last_name'];
  const same = names.map((name) =>
    takes_whole_names
      ? `staging.${name} IS NOT DISTINCT FROM contact.${name}`
      : `(staging.${name} IS NULL OR staging.${name} = contact.${name})`,
  );
  if (rules.on_conflict !== 'fill_blank') return same.join(' AND ');
  const filled = names.map((name) => `contact.${name} IS NOT NULL`);
  if (takes_whole_names) return `(${same.join(' AND ')} OR ${filled.join(' AND ')})`;
  return same.map((one, at) => `(${one} OR ${filled[at]})`).join(' AND ');
}

/** Whether attributes and consent stay as they are. */
function saysNothingElse({ rules, takes_attributes }: PlainOptions): string {
  const conditions = ['true'];
  if (takes_attributes) conditions.push('contact.attributes @> staging.attributes');
  if (rules.consent !== null) {
    const later = `(contact.consent ->> 'at') COLLATE "C" >= (staging.consent ->> 'at') COLLATE "C"`;
    conditions.push(rules.on_conflict === 'fill_blank' ? 'contact.consent IS NOT NULL' : later);
  }
  return conditions.join(' AND ');
}
