import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { newId } from '../../kernel/id.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { ConsentRecordModel } from './record.ts';

/** Contacts that one statement looks at. */
const BATCH = 1_000;

type Missing = {
  organization_id: string;
  id: string;
  email: string;
  email_hash: string;
  consent: unknown;
  recorded_at: string;
};

type Position = { organization_id: string; id: string };

/**
 * Records what contacts say now where their last record says something else: the release before, beside which this one may run, takes
 * and ends consents and records none. A record is dated as the contact is. Answers how many. Safe to run twice.
 */
export async function recordMissingConsents(
  database: Database,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let after: Position | null = { organization_id: '', id: '' }; after !== null && !signal.aborted; ) {
    const from: Position = after;
    const { last, missing } = await database.withConnection(EVERY_ORGANIZATION, async ({ query }) => {
      const [row] = await query<{ last: Position | null; missing: Missing[] | null }>(LOOK, [
        from.organization_id,
        from.id,
        BATCH,
      ]);
      return row!;
    });
    for (const [organization_id, own] of Map.groupBy(missing ?? [], (row) => row.organization_id)) {
      const who = { actor: systemActor, organization_id, request_id: null, ip_address: null };
      await database.withConnection(organization_id, (connection) =>
        inWork({ ...who, connection, now }, async (work) => keep(work, own), { may_change_nothing: true }),
      );
      total += own.length;
    }
    after = last;
  }
  return total;
}

function keep(work: Work, missing: readonly Missing[]): void {
  work.insertAll(
    ConsentRecordModel,
    missing.map(({ id, email, email_hash, consent, recorded_at }) => ({
      id: newId('mcons', work.now),
      contact_id: id,
      email,
      email_hash,
      consent,
      created_at: recorded_at,
    })),
  );
}

/** $1 and $2: after which contact, $3: how many are looked at. */
const LOOK = `
  WITH looked AS MATERIALIZED (
    SELECT organization_id, id, email, consent, updated_at,
           sha256(convert_to(organization_id || chr(10) || email_key, 'UTF8')) AS email_hash
      FROM mail_contacts WHERE (organization_id, id) > ($1, $2) ORDER BY organization_id, id LIMIT $3
  ), missing AS (
    SELECT looked.*, greatest(looked.updated_at, latest.created_at) AS recorded_at
      FROM looked LEFT JOIN LATERAL (
        SELECT record.consent, record.created_at FROM mail_consent_records AS record
         WHERE record.organization_id = looked.organization_id AND record.email_hash = looked.email_hash
           AND record.contact_id = looked.id
         ORDER BY record.created_at DESC, record.id DESC LIMIT 1) AS latest ON true
     WHERE looked.consent IS DISTINCT FROM latest.consent
  ) SELECT (SELECT jsonb_build_object('organization_id', organization_id, 'id', id) FROM looked
             ORDER BY organization_id DESC, id DESC LIMIT 1) AS last,
           (SELECT jsonb_agg(missing) FROM missing) AS missing`;
