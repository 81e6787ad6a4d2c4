import { pageOf } from '../../db/list.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { actsForAll, requireOwner } from '../members/owner.ts';
import { type Feed, FeedModel } from './record.ts';

const columns = ['id', 'user_id', 'created_at', 'updated_at'] as const;

export type FeedRow = Omit<Feed, 'object'>;

/** A row as the API shows it. */
export function feedShown({ id, ...fields }: FeedRow): Feed {
  return { id, object: 'scheduler.feed', ...fields };
}

/** The row of a feed, locked where it is to be changed. Errors: `not_found`. */
export async function feedRow(
  { connection, organization_id }: Reader,
  id: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<FeedRow> {
  const [row] = await connection.query<FeedRow>(
    `SELECT ${columns.join(', ')} FROM scheduler_feeds WHERE organization_id = $1 AND id = $2 ${lock}`,
    [organization_id, id],
  );
  if (!row) throw notFound();
  return row;
}

/** The feeds of a member, who has few. */
export function feedsOf({ connection, organization_id }: Reader, user_id: string): Promise<FeedRow[]> {
  return connection.query<FeedRow>(
    `SELECT ${columns.join(', ')} FROM scheduler_feeds WHERE organization_id = $1 AND user_id = $2 ORDER BY id`,
    [organization_id, user_id],
  );
}

/** A window of the feeds of a member; of all for who acts for all, unless one is named. Errors: `not_owner`. */
export async function feedPage(
  reader: Reader,
  { user_id }: { user_id?: string | undefined },
  window: Window,
): Promise<Page<Feed>> {
  if (user_id !== undefined) requireOwner(reader, user_id);
  const owner = user_id ?? (actsForAll(reader) ? undefined : reader.actor.user_id);
  const query = FeedModel.table(reader);
  if (owner !== undefined) query.where('scheduler_feeds.user_id', owner);
  const page = await pageOf<FeedRow>(reader, {
    query,
    table: FeedModel.tableName,
    columns,
    prefix: 'feed',
    window,
    is_filtered: owner !== undefined,
  });
  return { ...page, rows: page.rows.map(feedShown) };
}
