import type { Reader } from '../../kernel/reader.ts';
import { isSeen, sightOf } from './sight.ts';

/** Tells of records of a table, by their IDs, whether who asks sees the member that one is about. */
export function seesOwnerIn(table: string): (reader: Reader, id: string) => Promise<boolean> {
  return async (reader, id) => {
    const [owner] = await reader.connection.query<{ id: string; department_id: string | null }>(
      `SELECT member.id, member.department_id FROM "${table}" AS record
         JOIN attendance_members AS member
           ON member.organization_id = record.organization_id AND member.id = record.member_id
        WHERE record.organization_id = $1 AND record.id = $2`,
      [reader.organization_id, id],
    );
    return owner !== undefined && isSeen(await sightOf(reader), owner);
  };
}
