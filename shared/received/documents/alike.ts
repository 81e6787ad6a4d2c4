import type { Reader } from '../../kernel/reader.ts';
import type { ReceivedDocument } from './record.ts';

/** Documents that are named as alike of one: who sees so many looks at the list of the company. */
const MOST = 20;

const OTHERS = `other.organization_id = $1 AND other.kind = own.kind AND other.company_key = own.company_key
      AND other.total = own.total AND other.total <> 0 AND other.status <> 'rejected' AND other.id <> own.id
      AND coalesce(other.issue_date, other.received_on) BETWEEN own.day - 7 AND own.day + 7
    ORDER BY other.id LIMIT ${MOST}`;

/** SQL: the documents of the same sender with the same total within 7 days, of each of the documents `$2`. */
export const ALIKE = `SELECT own.id AS document_id, alike.id
  FROM (SELECT id, kind, company_key, total, coalesce(issue_date, received_on) AS day FROM received_documents
         WHERE organization_id = $1 AND id = ANY ($2) AND status <> 'rejected') AS own
 CROSS JOIN LATERAL (SELECT other.id FROM received_documents AS other WHERE ${OTHERS}) AS alike
 ORDER BY own.id, alike.id`;

const ALIKE_TO = `SELECT other.id FROM received_documents AS other,
    (VALUES ($2::text, $3::text, $4::text, $5::bigint, $6::date)) AS own (id, kind, company_key, total, day)
  WHERE ${OTHERS}`;

/** The same of a document as it is about to be written. */
export async function alikeTo(
  { connection, organization_id }: Reader,
  { id, kind, status, company_key, total, issue_date, received_on }: ReceivedDocument,
): Promise<string[]> {
  if (company_key === null || total === 0 || status === 'rejected') return [];
  const values = [organization_id, id, kind, company_key, total, issue_date ?? received_on];
  const rows = await connection.query<{ id: string }>(ALIKE_TO, values);
  return rows.map((row) => row.id);
}
