import { loadOncePerTurn } from '../../db/load-once-per-turn.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { ReceivedDocument } from './record.ts';

/** Documents that are named as alike of one: who sees so many looks at the list of the company. */
const MOST = 20;

const OTHERS = `other.organization_id = $1 AND other.kind = own.kind AND other.company_key = own.company_key
      AND other.total = own.total AND other.total <> 0 AND other.status <> 'rejected' AND other.id <> own.id
      AND coalesce(other.issue_date, other.received_on) BETWEEN own.day - 7 AND own.day + 7
    ORDER BY other.id LIMIT ${MOST}`;

/** SQL: after `how`, a literal, each of the documents `$2` with those of the same sender with the same total within 7 days. */
export const alikeOf = (how: string) => `SELECT ${how}, own.id, NULL, alike.id
  FROM (SELECT id, kind, company_key, total, coalesce(issue_date, received_on) AS day FROM received_documents
         WHERE organization_id = $1 AND id = ANY ($2) AND status <> 'rejected') AS own
 CROSS JOIN LATERAL (SELECT other.id FROM received_documents AS other WHERE ${OTHERS}) AS alike`;

/** A set that JSON holds has one plan for any number: of a list, the server makes a new one each time. */
const ALIKE_TO = `SELECT own.id AS document_id, alike.id
  FROM jsonb_to_recordset($2::jsonb) AS own (id text, kind text, company_key text, total bigint, day date)
 CROSS JOIN LATERAL (SELECT other.id FROM received_documents AS other WHERE ${OTHERS}) AS alike
 ORDER BY alike.id`;

/** The keys are documents as JSON, with what the statement compares. */
const lookUp = loadOncePerTurn(async ({ connection, organization_id }, keys) => {
  const rows = await connection.query<{ document_id: string; id: string }>(
    ALIKE_TO,
    [organization_id, `[${keys.join()}]`],
    { alone: true },
  );
  const byDocument = Map.groupBy(rows, ({ document_id }) => document_id);
  return new Map(
    keys.map((key) => {
      const found = byDocument.get((JSON.parse(key) as { id: string }).id) ?? [];
      return [key, found.map(({ id }) => id)];
    }),
  );
});

/** The same of a document as it is about to be written. */
export async function alikeTo(
  reader: Reader,
  { id, kind, status, company_key, total, issue_date, received_on }: ReceivedDocument,
): Promise<string[]> {
  if (company_key === null || total === 0 || status === 'rejected') return [];
  const key = JSON.stringify({ id, kind, company_key, total, day: issue_date ?? received_on });
  return (await lookUp(reader, key))!;
}
