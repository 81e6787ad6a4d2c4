import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { transaction } from '../../db/transaction.ts';
import type { Connection } from '../../kernel/connection.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type AuditRow, auditColumns, auditLogOf } from '../audit/queries.ts';
import { BEFORE_FIRST, type Link, linkOf } from './canonical.ts';
import { type Head, headOf } from './head.ts';

/** Entries that are sealed in one transaction: each may hold a document with a hundred versions. */
const BATCH = 200;

/** Batches that the workers seal before they look at the next organization; their next round seals the rest. */
const MOST_BATCHES = 50;

/**
 * Seals the committed entries of an organization in the order of their IDs. An entry is sealed after its commit, one sealer
 * at a time, so a transaction that began early and committed late comes later in the chain, and the chain has no hole.
 * Answers how many there were.
 */
export async function sealEvidence(
  connection: Connection,
  organization_id: string,
  most_batches = MOST_BATCHES,
): Promise<number> {
  let sealed = 0;
  for (let batch = 0; batch < most_batches; batch += 1) {
    const count = await transaction(connection, async (commit) => {
      await connection.query("SELECT pg_advisory_xact_lock(hashtextextended('evidence ' || $1, 0))", [
        organization_id,
      ]);
      // Statements of their own: their snapshots are taken under the lock, so they see all links made before.
      const entries = await unsealed(connection, organization_id);
      if (entries.length === 0) return 0;
      const head = await headOf({ connection, organization_id });
      // COMMIT travels behind the statement that is sent by now: it is one alone.
      await commit(keep(connection, organization_id, linked(entries, head)));
      return entries.length;
    });
    sealed += count;
    if (count < BATCH) break;
  }
  return sealed;
}

/**
 * Seals what a reader of the history is about to see, one batch of it. So an entry is sealed as soon as anybody reads it, even
 * while the round of a process that was killed keeps the workers from the next one.
 */
export async function sealForReader({
  connection,
  organization_id,
}: Pick<Reader, 'connection' | 'organization_id'>): Promise<void> {
  const [waiting] = await connection.query(
    'SELECT 1 FROM evidence_unsealed WHERE organization_id = $1 LIMIT 1',
    [organization_id],
  );
  if (waiting) await sealEvidence(connection, organization_id, 1);
}

/** Seals what waits in every organization; run every second by the workers' schedules. */
export async function sealAllEvidence(database: Database): Promise<number> {
  const organizations = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<{ organization_id: string }>('SELECT DISTINCT organization_id FROM evidence_unsealed'),
  );
  let sealed = 0;
  for (const { organization_id } of organizations) {
    sealed += await database.withConnection(organization_id, (connection) =>
      sealEvidence(connection, organization_id),
    );
  }
  return sealed;
}

/** The first entries that wait for their seals. */
function unsealed(connection: Connection, organization_id: string): Promise<AuditRow[]> {
  return connection.query<AuditRow>(
    `SELECT ${auditColumns.map((name) => `entry.${name}`).join(', ')}
       FROM evidence_unsealed AS waiting
       JOIN audit_logs AS entry ON entry.organization_id = $1 AND entry.id = waiting.audit_log_id
      WHERE waiting.organization_id = $1
      ORDER BY waiting.audit_log_id LIMIT ${BATCH}`,
    [organization_id],
  );
}

type KeptLink = Link & { audit_log_id: string; entity_id: string };

/** The links of entries behind the head. */
function linked(entries: readonly AuditRow[], head: Head): KeptLink[] {
  let last: Pick<Link, 'sequence' | 'hash'> = head ?? { sequence: 0, hash: BEFORE_FIRST };
  return entries.map((row) => {
    const link = linkOf(auditLogOf(row), last);
    last = link;
    return { ...link, audit_log_id: row.id, entity_id: row.entity_id };
  });
}

async function keep(
  connection: Connection,
  organization_id: string,
  links: readonly KeptLink[],
): Promise<void> {
  await connection.query(
    `WITH sealed AS (
       INSERT INTO evidence_chain
         (organization_id, sequence, audit_log_id, entity_id, previous_hash, hash_format, canonical, hash)
       SELECT $1, sequence, audit_log_id, entity_id, previous_hash, hash_format, canonical, hash
         FROM jsonb_to_recordset($2::jsonb) AS link (sequence bigint, audit_log_id text, entity_id text,
              previous_hash text, hash_format smallint, canonical text, hash text)
       RETURNING audit_log_id)
     DELETE FROM evidence_unsealed AS waiting USING sealed
      WHERE waiting.organization_id = $1 AND waiting.audit_log_id = sealed.audit_log_id`,
    [organization_id, JSON.stringify(links)],
  );
}
