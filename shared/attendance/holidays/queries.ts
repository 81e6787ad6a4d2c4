import type { Knex } from 'knex';
import { pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type DatedRow, settingsOn } from '../settings/dated.ts';
import { datedRows } from '../settings/queries.ts';
import {
  NATIONAL_CREATED_AT,
  NATIONAL_SOURCE,
  type NationalHoliday,
  nationalById,
  nationalHolidays,
} from './national.ts';
import { type Holiday, HolidayModel, holidayKind } from './record.ts';

export const holidayColumns = [
  'id',
  'date',
  'name',
  'name_en',
  'counts_as',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export type HolidayRow = Omit<Holiday, 'object' | 'kind' | 'source'>;

/** A holiday of the company as the API shows it. */
export function companyHolidayOf(row: HolidayRow): Holiday {
  const { id, date, name, name_en, counts_as, external_id, metadata, created_at, updated_at } = row;
  return {
    id,
    object: 'attendance.holiday',
    date,
    kind: 'company',
    name,
    name_en,
    counts_as,
    source: null,
    external_id,
    metadata,
    created_at,
    updated_at,
  };
}

/** A national holiday as the API shows it: it counts as the settings of its day say. */
export function nationalHolidayOf(
  { id, date, name, name_en }: NationalHoliday,
  rows: readonly DatedRow[],
): Holiday {
  return {
    id,
    object: 'attendance.holiday',
    date,
    kind: 'national',
    name,
    name_en,
    counts_as: settingsOn(rows, date).national_holidays_as,
    source: NATIONAL_SOURCE,
    external_id: null,
    metadata: {},
    created_at: NATIONAL_CREATED_AT,
    updated_at: NATIONAL_CREATED_AT,
  };
}

export type HolidayFilters = LookUps & { year?: number; kind?: Holiday['kind'] };

/** A window of the holidays, national ones and those of the company. */
export async function holidayPage(
  reader: Reader,
  { year, kind, ...look_ups }: HolidayFilters,
  window: Window,
): Promise<Page<Holiday>> {
  const rows = await datedRows(reader);
  const query = bothKinds(reader);
  if (kind !== undefined) query.where(`${TABLE}.kind`, kind);
  if (year !== undefined) query.whereBetween(`${TABLE}.date`, [`${year}-01-01`, `${year}-12-31`]);
  const page = await pageOf<{ id: string } & Partial<HolidayRow>>(reader, {
    query,
    table: TABLE,
    columns: holidayColumns,
    prefix: 'hol',
    sorts: { date: 'date' },
    window,
    is_filtered: true,
    look_ups: { kind: { ...holidayKind, table: TABLE }, asked: look_ups },
    across: true,
  });
  const shown = page.rows.map((row) => {
    const national = nationalById.get(row.id);
    return national ? nationalHolidayOf(national, rows) : companyHolidayOf(row as HolidayRow);
  });
  return { ...page, rows: shown };
}

const TABLE = 'holidays';

/** Rows of both kinds under one name. There are some two hundred national ones, the same for all. */
function bothKinds({ connection, organization_id }: Reader): Knex.QueryBuilder {
  const { knex } = connection;
  const own = `SELECT 'company' AS kind, ${holidayColumns.join(', ')}
    FROM ${HolidayModel.tableName} WHERE organization_id = ?`;
  const national = `SELECT 'national' AS kind, id COLLATE "C", date, name, name_en, NULL AS counts_as,
      NULL AS external_id, '{}'::jsonb AS metadata, ?::timestamptz AS created_at, ?::timestamptz AS updated_at
    FROM jsonb_to_recordset(?::jsonb) AS national (id text, date date, name text, name_en text)`;
  return knex.from(
    knex.raw(`(${own} UNION ALL ${national}) AS ${TABLE}`, [
      organization_id,
      NATIONAL_CREATED_AT,
      NATIONAL_CREATED_AT,
      NATIONAL_ROWS,
    ]),
  );
}

const NATIONAL_ROWS = JSON.stringify(nationalHolidays);

/** A holiday of the company, locked until the work commits. Errors: `not_found`. */
export async function lockHoliday({ connection, organization_id }: Reader, id: string): Promise<Holiday> {
  const [row] = await connection.query<HolidayRow>(
    `SELECT ${holidayColumns.join(', ')} FROM attendance_holidays WHERE organization_id = $1 AND id = $2
      FOR UPDATE`,
    [organization_id, id],
  );
  if (!row) throw notFound();
  return companyHolidayOf(row);
}
