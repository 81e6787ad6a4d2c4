import { pageOf } from '../../db/list.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { CalendarEvents } from '../calendar-events/record.ts';
import { actsForAll, requireOwner } from '../members/owner.ts';
import { type Block, BlockModel, type BlockRow, blockColumns, blockKind, blockOf } from './record.ts';

const COLUMNS = blockColumns.map((column) => `"${column}"`).join(', ');

/** A block, locked until the work commits. Errors: `not_found`, `not_owner`. */
export async function lockBlock(reader: Reader, id: string): Promise<Block> {
  const [row] = await reader.connection.query<BlockRow>(
    `SELECT ${COLUMNS} FROM scheduler_blocks WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
    [reader.organization_id, id],
  );
  if (!row) throw notFound();
  requireOwner(reader, row.user_id);
  return blockOf(row);
}

export type BlockLookUps = {
  user_id?: string | undefined;
  external_id?: readonly string[] | undefined;
  updated_after?: string | undefined;
  updated_before?: string | undefined;
  limit: number;
  offset: number;
};

/**
 * The blocks of some keys, or that changed within some times, newest first: one's own, for managers, admins and owners those
 * of all. Errors: `not_owner`.
 */
export async function blocksByKey(reader: Reader, asked: BlockLookUps): Promise<CalendarEvents> {
  const { user_id, external_id, updated_after = null, updated_before = null, limit, offset } = asked;
  if (user_id !== undefined) requireOwner(reader, user_id);
  const owner = user_id ?? (actsForAll(reader) ? undefined : reader.actor.user_id);
  const query = BlockModel.table(reader);
  if (owner !== undefined) query.where('scheduler_blocks.user_id', owner);
  const { rows, total } = await pageOf<BlockRow>(reader, {
    query,
    table: BlockModel.tableName,
    columns: blockColumns,
    prefix: 'cevt',
    window: {
      form: 'offset',
      limit,
      offset,
      starting_after: null,
      sort: [],
      created_after: null,
      created_before: null,
      updated_after,
      updated_before,
      count: true,
    },
    look_ups: { kind: blockKind, asked: { external_id } },
  });
  return { items: rows.map(blockOf), total, limit, offset };
}
