import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import { ALIKE, askOthers } from './others.ts';
import type { ReceivedDocument } from './record.ts';

/** SQL: after `how`, a literal, each of the documents `$2` with those of the same sender with the same total within 7 days. */
export const alikeOf = (how: string) => `SELECT ${how}, own.id, NULL, alike.id
  FROM (SELECT id, kind, company_key, total, coalesce(issue_date, received_on) AS day FROM received_documents
         WHERE organization_id = $1 AND id = ${oneOf('$2')} AND status <> 'rejected') AS own
 CROSS JOIN LATERAL (${ALIKE}) AS alike`;

/** The same of a document as it is about to be written. */
export async function alikeTo(
  reader: Reader,
  { id, kind, status, company_key, total, issue_date, received_on }: ReceivedDocument,
): Promise<string[]> {
  if (company_key === null || total === 0 || status === 'rejected') return [];
  const day = issue_date ?? received_on;
  return (await askOthers(reader, { own: { id, kind, company_key, total, day } })).alike;
}
