import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { lockMember } from '../members/queries.ts';
import { memberOfPath } from '../sight/people.ts';
import type { RequestType } from './kind.ts';
import type { RequestRow } from './record.ts';

/** A request by its ID, of a member whose days the caller may read. Errors: `not_found`. */
export async function seenRequest<Row extends RequestRow>(
  reader: Reader,
  type: RequestType<Row, unknown>,
  id: string,
): Promise<Row> {
  const row = await rowOf(reader, type, id);
  if (!row) throw notFound();
  await memberOfPath(reader, row.member_id);
  return row;
}

/** The same, locked behind the row of its member until the work commits. Errors: `not_found`. */
export async function lockRequest<Row extends RequestRow>(
  work: Work,
  type: RequestType<Row, unknown>,
  id: string,
): Promise<Row> {
  const { member_id } = await seenRequest(work, type, id);
  await lockMember(work, member_id);
  return (await rowOf(work, type, id, 'FOR NO KEY UPDATE'))!;
}

async function rowOf<Row extends RequestRow>(
  { connection, organization_id }: Reader,
  { model, columns }: RequestType<Row, unknown>,
  id: string,
  lock = '',
): Promise<Row | undefined> {
  const [row] = await connection.query<Row>(
    `SELECT ${columns.join(', ')} FROM ${model.tableName} WHERE organization_id = $1 AND id = $2 ${lock}`,
    [organization_id, id],
  );
  return row;
}

/** A request as facts tell it: without what is computed. */
export function toldOf<Row extends RequestRow>(
  { kind }: RequestType<Row, unknown>,
  row: Row,
): { id: string } {
  return { ...row, object: `attendance.${kind}` } as { id: string };
}
