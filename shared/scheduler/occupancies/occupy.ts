import type { Work } from '../../kernel/work.ts';
import { OccupancyModel, type OccupancyRow } from './record.ts';

/**
 * Takes time of hosts, whose rows are locked (`lockHosts`), with the rest of the work. Where another row of a host overlaps,
 * the work is refused as `slot_taken`. Rows are written in one order, so that two works do not wait for each other.
 */
export function occupy(work: Work, rows: readonly OccupancyRow[]): void {
  const ordered = rows.toSorted((a, b) => compare(a.user_id, b.user_id) || compare(a.start, b.start));
  work.insertAll(OccupancyModel, ordered);
}

/** Gives back all time that records take of their hosts, with the rest of the work. */
export function release(work: Work, record_ids: readonly string[]): void {
  if (record_ids.length === 0) return;
  work.run('DELETE FROM scheduler_occupancies WHERE organization_id = $1 AND record_id = ANY ($2)', [
    work.organization_id,
    [...record_ids],
  ]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
