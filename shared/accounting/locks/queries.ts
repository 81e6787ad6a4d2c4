import { pageOf } from '../../db/list.ts';
import { Failure, notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { allows } from '../../kernel/scope.ts';
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

/** What an entry comes from, as locks tell entries apart. */
const SOURCES: Readonly<Record<string, PeriodLock['scope']>> = {
  invoice: 'sales',
  payment: 'sales',
  credit_note: 'sales',
  deposit: 'sales',
  received_invoice: 'purchases',
  received_payment: 'purchases',
};

/** Days of an entry that must be free, with the type of its source. */
export type LockedDay = { date: string; source_type: string | null };

/** The lock that keeps the caller from a day, or null. The books of its year are locked by then. */
export async function lockAgainst(
  reader: Reader,
  { date, source_type }: LockedDay,
): Promise<PeriodLock | null> {
  const scope = source_type === null ? 'manual' : SOURCES[source_type];
  const levels = allows(reader.actor.grants, 'settings:write') ? ['hard'] : ['hard', 'soft'];
  const [row] = await reader.connection.query<PeriodLockRow>(
    `${SELECT} AND "to" >= $2 AND ("from" IS NULL OR "from" <= $2) AND scope = ANY ($3) AND level = ANY ($4)
      ORDER BY level, id LIMIT 1`,
    [reader.organization_id, date, ['all', scope], levels],
  );
  return row ? periodLockOf(row) : null;
}

/** A day that a lock keeps: 409 that names it. */
export function periodLocked(date: string, { id, level, from, to }: PeriodLock): Failure {
  const period = from === null ? { en: `until ${to}`, ja: `${to}まで` } : { en: `${from} to ${to}`, ja: `${from}〜${to}` };
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
