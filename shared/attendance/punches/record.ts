import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { DecimalSource, day, id, text, timestamp } from '../../kernel/schema.ts';
import { attendanceDay, attendanceTime } from '../dates.ts';
import { punchTypes } from '../days/punch-states.ts';
import { employeeCode } from '../members/record.ts';

const punchType = () => z.enum(punchTypes).meta({ examples: ['clock_in'] });

/** Where somebody punched, as it is shown. */
export const Location = z.strictObject({
  lat: z.number().meta({ examples: [35.681236] }),
  lng: z.number().meta({ examples: [139.767125] }),
  accuracy: z
    .number()
    .nullable()
    .describe('In metres.')
    .meta({ examples: [12] }),
});

/** A number with decimals that is a measurement, no amount: it is kept as it is measured, in binary. */
function measured(least: number, most: number) {
  return z
    .union([z.number(), z.instanceof(DecimalSource)])
    .transform((value) => Number(value instanceof DecimalSource ? value.text : value))
    .pipe(z.number().min(least).max(most))
    .meta({ jsonSchema: { type: 'number', minimum: least, maximum: most } });
}

const LocationInput = z.strictObject({
  lat: measured(-90, 90).meta({ examples: [35.681236] }),
  lng: measured(-180, 180).meta({ examples: [139.767125] }),
  accuracy: measured(0, 1_000_000)
    .nullable()
    .default(null)
    .describe('In metres.')
    .meta({ examples: [12] }),
});

export type Location = z.output<typeof Location>;

/** What somebody punched, as the API shows it. It never changes. */
export const Punch = z
  .strictObject({
    id: id('punch'),
    object: z.literal('attendance.punch'),
    member_id: id('mem'),
    type: punchType(),
    occurred_at: timestamp().describe('The instant that counts.'),
    original_occurred_at: timestamp().describe('When it arrived.'),
    work_date: day().describe('The day that its session belongs to.'),
    source: z
      .enum(['web', 'api', 'system'])
      .describe('`web`: by a session; `api`: by a key; `system`: follows from another punch.')
      .meta({ examples: ['web'] }),
    note: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    location: Location.nullable().meta({ examples: [null] }),
    ip: z
      .string()
      .nullable()
      .meta({ examples: ['203.0.113.7'] }),
    duplicate: z.boolean().describe('It was there already: nothing was written.'),
    created_by: id('usr').nullable(),
    created_at: timestamp(),
  })
  .meta({ id: 'AttendancePunch' });

export type Punch = z.output<typeof Punch>;

export const PunchInput = z
  .strictObject({
    type: punchType(),
    member_id: id('mem').optional().describe('Yourself unless said.'),
    occurred_at: attendanceTime()
      .optional()
      .describe('Now unless said; managers, admins and owners may give it.'),
    work_date: attendanceDay()
      .optional()
      .describe(
        'Of a clock_in: the day before `occurred_at`, of it or after it. Unless said, the schedule says.',
      ),
    note: text(200)
      .nullable()
      .default(null)
      .meta({ examples: [null] }),
    location: LocationInput.nullable()
      .default(null)
      .meta({ examples: [null] }),
  })
  .meta({ id: 'AttendancePunchInput' });

export type PunchInput = z.output<typeof PunchInput>;

/** A punch of a batch: its member may be named by the code, too. */
export const BatchedPunch = PunchInput.extend({
  employee_code: employeeCode().optional().describe('In the place of `member_id`.'),
}).meta({ id: 'AttendanceBatchedPunch' });

export type BatchedPunch = z.output<typeof BatchedPunch>;

/** What came of a punch of a batch. */
export const PunchOutcomeShown = z
  .strictObject({
    index: z
      .int()
      .describe('Its place in `punches`, from 0.')
      .meta({ examples: [0] }),
    status: z
      .int()
      .describe('That of the punch sent alone.')
      .meta({ examples: [201] }),
    code: z
      .string()
      .nullable()
      .describe('Why it was refused; else null.')
      .meta({ examples: [null] }),
    punch: Punch.nullable(),
  })
  .meta({ id: 'AttendancePunchOutcome' });

export const punchStates = ['off_duty', 'working', 'on_break'] as const;

export class PunchModel extends TenantModel {
  static override tableName = 'attendance_punches';
  static override jsonAttributes = ['location'];
}

export const punchFacts = factsOf({
  domain: 'attendance',
  entity_type: 'punch',
  computed: ['duplicate'],
});
