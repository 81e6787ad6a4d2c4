import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { computed, computedIn, day, id, timestamp } from '../../kernel/schema.ts';
import { datedChange, datedFields, plainChange, plainFields } from './fields.ts';

/** The settings of attendance on a day, as the API shows them. */
export const AttendanceSettings = z
  .strictObject({
    id: id('org'),
    object: z.literal('attendance.settings'),
    as_of: computed(day()).describe('The day that they are shown for.'),
    effective_from: computed(day().nullable()).describe(
      'Since when the settings with a date are so; null: from the beginning.',
    ),
    ...datedFields,
    ...plainFields,
    rounding_unfavourable: computed(z.boolean()).describe(
      'Whether minutes can be cut that were worked: a unit over 1 with clock_in or break_end `ceil`, or clock_out or break_start `floor`; or `ignore_unless_approved`.',
    ),
    daily_statutory_minutes: computed(z.literal(480)),
    night_window: computed(z.array(z.string())).meta({ examples: [['22:00', '05:00']] }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'AttendanceSettings' });

export type AttendanceSettings = z.output<typeof AttendanceSettings>;

/** A change: those with a date hold from `effective_from` on. */
export const AttendanceSettingsPatch = z
  .strictObject({
    effective_from: day().describe(
      'From when on the settings with a date change; the start of the first open period unless said.',
    ),
    ...datedChange,
    ...plainChange,
  })
  .partial()
  .meta({ id: 'AttendanceSettingsPatch' });

export type AttendanceSettingsPatch = z.output<typeof AttendanceSettingsPatch>;

export const settingsFacts = factsOf({
  domain: 'attendance',
  entity_type: 'settings',
  computed: computedIn(AttendanceSettings).filter((name) => name !== 'effective_from'),
});
