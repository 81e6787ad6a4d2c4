import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { StoredDocument } from '../documents/rows.ts';

/** Documents that one look finds. */
const LOOK = 200;

type Due = { organization_id: string; document_id: string; due_at: string };

/** What time asks for of documents. */
export type DueDocuments = {
  /**
   * SQL that selects `organization_id`, `document_id` and the time `due_at` of what is due at `$1`, which may name a document more
   * than once.
   */
  find: string;
  /** What is said of those that failed, after their number. */
  fault: string;
  /** Does it to a locked document, and answers whether something happened: what is due is looked at again. */
  act: (work: Work, stored: StoredDocument) => Promise<boolean>;
};

/**
 * Does what is due, each document in its own transaction, and answers to how many. One that somebody else has locked is left for the
 * next look: two processes never do the same.
 */
export function doWhatIsDue(
  { find, fault, act }: DueDocuments,
  database: Database,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const look = (after: Due | undefined) =>
    database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<Due>(
        `SELECT organization_id, document_id, min(due_at)::text AS due_at FROM (${find}) AS due
          WHERE (due_at, document_id) > ($2::timestamptz, $3)
          GROUP BY organization_id, document_id ORDER BY min(due.due_at), document_id LIMIT ${LOOK}`,
        [now.toISOString(), after?.due_at ?? '-infinity', after?.document_id ?? ''],
      ),
    );
  return eachDue({ look, size: LOOK, signal, fault }, ({ organization_id, document_id }) =>
    database.withConnection(organization_id, (connection) =>
      inWork(
        { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
        async (work) => {
          const [free] = await connection.query(
            `SELECT FROM sign_documents WHERE organization_id = $1 AND id = $2 AND erased_at IS NULL
                FOR NO KEY UPDATE SKIP LOCKED`,
            [organization_id, document_id],
          );
          return free !== undefined && act(work, await documentForUpdate(work, document_id));
        },
        { may_change_nothing: true },
      ),
    ),
  );
}
