import { pageOf } from '../../db/list.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type CalendarConnection, ConnectionModel } from './record.ts';
import { type ConnectionRow, connectionColumns, connectionRow, connectionsOf } from './rows.ts';

/** Owners and admins see the connections of everybody, others their own. */
export function seesAllConnections({ actor }: Reader): boolean {
  return actor.role === 'owner' || actor.role === 'admin' || actor.type === 'system';
}

/** A window of the connections that the reader may see. */
export async function connectionPage(reader: Reader, window: Window): Promise<Page<CalendarConnection>> {
  const query = ConnectionModel.table(reader);
  if (!seesAllConnections(reader)) query.where({ user_id: reader.actor.user_id });
  const page = await pageOf<ConnectionRow>(reader, {
    query,
    table: ConnectionModel.tableName,
    columns: connectionColumns,
    prefix: 'ccon',
    window,
    is_filtered: !seesAllConnections(reader),
  });
  return { ...page, rows: await connectionsOf(reader, page.rows) };
}

/** The row of a connection that one acts on, locked. Errors: `not_found`, `not_owner` for that of another member. */
export async function lockConnection(
  reader: Reader,
  id: string,
  who: 'owner_of_it' | 'admins_too',
): Promise<ConnectionRow> {
  const row = await connectionRow(reader, id, 'FOR NO KEY UPDATE');
  const acts = row.user_id === reader.actor.user_id || (who === 'admins_too' && seesAllConnections(reader));
  if (!acts) throw new Failure('not_owner');
  return row;
}
