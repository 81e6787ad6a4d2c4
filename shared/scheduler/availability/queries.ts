import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { actsForAll, requireOwner } from '../members/owner.ts';
import { type Availability, AvailabilityModel, availabilityKind } from './record.ts';

const columns = [
  'id',
  'user_id',
  'name',
  'time_zone',
  'is_default',
  'weekly',
  'overrides',
  'closed_on_holidays',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export type AvailabilityRow = Omit<Availability, 'object'>;

/** A row as the API shows it. */
export function availabilityOf({ id, ...fields }: AvailabilityRow): Availability {
  return { id, object: 'scheduler.availability', ...fields };
}

/** One availability. Errors: `not_found`, `not_owner` for that of another member. */
export async function availabilityById(reader: Reader, id: string): Promise<Availability> {
  const [row] = await reader.connection.query<AvailabilityRow>(
    `SELECT ${columns.join(', ')} FROM scheduler_availability WHERE organization_id = $1 AND id = $2`,
    [reader.organization_id, id],
  );
  if (!row) throw notFound();
  requireOwner(reader, row.user_id);
  return availabilityOf(row);
}

/**
 * The default availability of a member, null where there is none, and the one that is asked for, both locked until the work
 * commits. The member is locked before.
 */
export async function lockAvailability(
  reader: Reader,
  user_id: string,
  id: string | null,
): Promise<{ asked: Availability | undefined; present_default: Availability | null }> {
  const rows = await reader.connection.query<AvailabilityRow>(
    `SELECT ${columns.join(', ')} FROM scheduler_availability
      WHERE organization_id = $1 AND user_id = $2 AND (is_default OR id = $3) ORDER BY id FOR UPDATE`,
    [reader.organization_id, user_id, id],
  );
  const locked = rows.map(availabilityOf);
  return {
    asked: locked.find((each) => each.id === id),
    present_default: locked.find(({ is_default }) => is_default) ?? null,
  };
}

export type AvailabilityFilters = LookUps & { user_id?: string };

/**
 * A window of the availability that the filters leave: one's own, for managers, admins and owners that of all. Errors:
 * `not_owner` where another member is asked for.
 */
export async function availabilityPage(
  reader: Reader,
  filters: AvailabilityFilters,
  window: Window,
): Promise<Page<Availability>> {
  const { user_id } = filters;
  if (user_id !== undefined) requireOwner(reader, user_id);
  const owner = user_id ?? (actsForAll(reader) ? undefined : reader.actor.user_id);
  const query = AvailabilityModel.table(reader);
  if (owner !== undefined) query.where('scheduler_availability.user_id', owner);
  const page = await pageOf<AvailabilityRow>(reader, {
    query,
    table: AvailabilityModel.tableName,
    columns,
    prefix: 'avail',
    window,
    is_filtered: owner !== undefined || isFiltered(filters),
    look_ups: { kind: availabilityKind, asked: filters },
  });
  return { ...page, rows: page.rows.map(availabilityOf) };
}
