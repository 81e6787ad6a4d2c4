import { pageOf } from '../../db/list.ts';
import { Failure, notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { allows, type Grant } from '../../kernel/scope.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type PeriodLock, PeriodLockModel } from './record.ts';

export const lockColumns = [
  'id',
  'from',
  'to',
  'level',
  'scope',
  'reason',
  'fiscal_year_id',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type PeriodLockRow = Omit<PeriodLock, 'object'>;

/** A row as the API shows it. */
export function periodLockOf({ id, ...row }: PeriodLockRow): PeriodLock {
  return { id, object: 'accounting.period_lock', ...row };
}

const SELECT = `SELECT ${lockColumns.map((name) => `"${name}"`).join(', ')}
  FROM accounting_period_locks WHERE organization_id = $1`;

/** One lock, its row locked until the work commits. Errors: `not_found`. */
export async function lockPeriodLock(reader: Reader, id: string): Promise<PeriodLock> {
  const text = `${SELECT} AND id = $2 FOR UPDATE`;
  const [row] = await reader.connection.query<PeriodLockRow>(text, [reader.organization_id, id]);
  if (!row) throw notFound();
  return periodLockOf(row);
}

/** The lock over a closed year, its row locked until the work commits; null where there is none. */
export async function lockOfYear(reader: Reader, fiscal_year_id: string): Promise<PeriodLock | null> {
  const text = `${SELECT} AND fiscal_year_id = $2 FOR UPDATE`;
  const [row] = await reader.connection.query<PeriodLockRow>(text, [reader.organization_id, fiscal_year_id]);
  return row ? periodLockOf(row) : null;
}

/** What an entry comes from, as locks tell entries apart. */
const SOURCES: Readonly<Record<string, PeriodLock['scope']>> = {
  invoice: 'sales',
  payment: 'sales',
  credit_note: 'sales',
  deposit: 'sales',
  received_invoice: 'purchases',
  received_payment: 'purchases',
};

/** The locks that hold some of the days from the first to the last of these; hard ones first. */
export async function locksWithin(reader: Reader, dates: readonly string[]): Promise<PeriodLock[]> {
  const days = dates.toSorted();
  const rows = await reader.connection.query<PeriodLockRow>(
    `${SELECT} AND "to" >= $2 AND ("from" IS NULL OR "from" <= $3) ORDER BY level, id`,
    [reader.organization_id, days[0], days.at(-1)],
  );
  return rows.map(periodLockOf);
}

/** Whether a lock keeps a caller from writing an entry of a source on a day. */
export function lockKeeps(
  { from, to, level, scope }: PeriodLock,
  { date, source_type }: { date: string; source_type: string | null },
  grants: readonly Grant[],
): boolean {
  if (to < date || (from !== null && from > date)) return false;
  if (level === 'soft' && allows(grants, 'settings:write')) return false;
  return scope === 'all' || scope === (source_type === null ? 'manual' : SOURCES[source_type]);
}

/** A day that a lock keeps: 409 that names it. */
export function periodLocked(date: string, { id, level, from, to }: PeriodLock): Failure {
  const period =
    from === null ? { en: `until ${to}`, ja: `${to}まで` } : { en: `${from} to ${to}`, ja: `${from}〜${to}` };
  const detail = {
    en: `${date} is locked by ${id} (${level}, ${period.en})`,
    ja: `${date} は ${id}（${level}、${period.ja}）でロックされています`,
  };
  return new Failure('period_locked', { detail, members: { lock_id: id, level } });
}

/** A window of the organization's locks; `date` leaves those that hold the day. */
export async function periodLockPage(
  reader: Reader,
  { date }: { date?: string },
  window: Window,
): Promise<Page<PeriodLock>> {
  const query = PeriodLockModel.table(reader);
  if (date !== undefined) query.whereRaw('"to" >= ? AND ("from" IS NULL OR "from" <= ?)', [date, date]);
  const page = await pageOf<PeriodLockRow>(reader, {
    query,
    table: PeriodLockModel.tableName,
    columns: lockColumns,
    prefix: 'lock',
    sorts: { to: 'to' },
    window,
    is_filtered: date !== undefined,
  });
  return { ...page, rows: page.rows.map(periodLockOf) };
}
