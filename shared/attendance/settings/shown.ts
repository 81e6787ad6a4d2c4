import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { SecretKeys } from '../../platform/secrets/keys.ts';
import { DAILY_STATUTORY_MINUTES } from '../schedules/shape.ts';
import { type SlackShown, slackShown } from '../slack/connection.ts';
import { type DatedRow, settingsOn, todayBy } from './dated.ts';
import { type DatedFields, datedFields, type PlainFields, plainFields } from './fields.ts';
import { datedRows, plainSettings } from './queries.ts';
import type { AttendanceSettings } from './record.ts';

export const datedNames = Object.keys(datedFields) as (keyof DatedFields)[];
export const plainNames = Object.keys(plainFields) as (keyof PlainFields)[];

type Times = { created_at: string; updated_at: string };

/** All that the settings of an organization follow from. */
export type KeptSettings = {
  rows: DatedRow[];
  plain: PlainFields;
  slack: SlackShown;
  times: Times;
  today: string;
};

/** Everything that is kept of the settings. Errors: `not_found`. */
export async function keptSettings(reader: Reader, keys: SecretKeys): Promise<KeptSettings> {
  const [rows, plain, slack, [times]] = await Promise.all([
    datedRows(reader),
    plainSettings(reader),
    slackShown(reader, keys),
    reader.connection.query<Times>(
      `SELECT organization.created_at, coalesce(settings.updated_at, organization.created_at) AS updated_at
         FROM organizations AS organization
         LEFT JOIN attendance_settings AS settings ON settings.organization_id = organization.id
        WHERE organization.id = $1`,
      [reader.organization_id],
    ),
  ]);
  if (!times) throw notFound();
  return { rows, plain, slack, times, today: todayBy(rows, reader.now) };
}

/** The settings on a day. */
export function shownSettings(
  organization_id: string,
  { rows, plain, slack, times }: Omit<KeptSettings, 'today'>,
  as_of: string,
): AttendanceSettings {
  const dated = settingsOn(rows, as_of);
  return {
    id: organization_id,
    object: 'attendance.settings',
    as_of,
    effective_from: rows.findLast((row) => row.effective_from <= as_of)?.effective_from ?? null,
    ...pick(dated, datedNames),
    ...pick(plain, plainNames),
    slack,
    rounding_unfavourable: cutsWorkedMinutes(dated),
    daily_statutory_minutes: DAILY_STATUTORY_MINUTES,
    night_window: ['22:00', '05:00'],
    ...times,
  };
}

/** The settings on a day, today unless said. Errors: `not_found`. */
export async function settingsAsOf(
  reader: Reader,
  as_of: string | undefined,
  keys: SecretKeys,
): Promise<AttendanceSettings> {
  const kept = await keptSettings(reader, keys);
  return shownSettings(reader.organization_id, kept, as_of ?? kept.today);
}

function cutsWorkedMinutes({ rounding, early_clock_in }: DatedFields): boolean {
  const { unit_minutes, clock_in, clock_out, break_start, break_end } = rounding;
  const cuts =
    clock_in === 'ceil' || break_end === 'ceil' || clock_out === 'floor' || break_start === 'floor';
  return (unit_minutes > 1 && cuts) || early_clock_in === 'ignore_unless_approved';
}
