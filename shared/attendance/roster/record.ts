import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import { attendanceDay } from '../dates.ts';
import { dayTypes } from '../settings/fields.ts';

const fields = {
  member_id: id('mem'),
  date: attendanceDay(),
  day_type: z.enum(dayTypes).meta({ examples: ['workday'] }),
  schedule_id: id('wsch').nullable().describe('null: that of the terms.'),
};

/** What a date is for a member, whatever the calendar says, as the API shows it. */
export const RosterDay = z
  .strictObject({
    id: id('rost'),
    object: z.literal('attendance.roster_day'),
    ...fields,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'RosterDay' });

export type RosterDay = z.output<typeof RosterDay>;

export const RosterItem = z
  .strictObject({
    member_id: fields.member_id,
    date: fields.date,
    day_type: fields.day_type.nullable().describe('null: takes the day out of the roster.'),
    schedule_id: fields.schedule_id.default(null),
  })
  .meta({ id: 'RosterItem' });

export type RosterItem = z.output<typeof RosterItem>;

export class RosterDayModel extends TenantModel {
  static override tableName = 'attendance_roster_days';
}

export const rosterFacts = factsOf({ domain: 'attendance', entity_type: 'roster_day' });
