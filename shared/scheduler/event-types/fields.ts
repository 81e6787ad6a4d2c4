import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { addFault, day, freeText, id, text, timeZoneInput } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import { Questions } from './questions.ts';

const minutes = (least: number, most: number) => z.int().min(least).max(most);

/** As long as notice and cutoffs may be: 90 days and a year. */
const LONGEST_NOTICE = 129_600;
const LONGEST_CUTOFF = 525_600;

export const BookingWindow = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['rolling_days', 'business_days']), days: z.int().min(0).max(730) }),
    z
      .strictObject({ type: z.literal('range'), from: day(), to: day() })
      .superRefine(({ from, to }, issues) => {
        if (from <= to) return;
        addFault(issues, 'to', 'too_small', {
          en: 'must not be before from',
          ja: 'は from 以降の日付で指定してください',
        });
      }),
    z.strictObject({ type: z.literal('none') }),
  ])
  .describe(
    'How far ahead guests may book: so many days or business days after today, a range of dates with both ends, or as far as any (730 days).',
  )
  .meta({ examples: [{ type: 'rolling_days', days: 60 }] });

const limit = (most: number) => z.int().min(1).max(most).nullable().default(null);

export const EventTypeLimits = z
  .strictObject({
    per_day: limit(10_000),
    per_week: limit(10_000),
    per_month: limit(10_000),
    minutes_per_day: limit(14_400),
    active_per_guest: limit(10_000).describe('Bookings ahead that one e-mail address may have.'),
  })
  .describe('How many bookings there may be; null for any number.');

export const Confirmation = z
  .strictObject({
    mode: z.enum(['auto', 'manual']).default('auto'),
    expires_after_minutes: minutes(1, LONGEST_CUTOFF)
      .default(1_440)
      .describe('When a booking that waits for confirmation expires, at its start at the latest.')
      .meta({ examples: [1_440] }),
    pending_blocks: z
      .boolean()
      .default(true)
      .describe('Whether a booking that waits occupies its time.')
      .meta({ examples: [true] }),
  })
  .describe('Whether bookings of guests wait until somebody confirms them.');

export const locationTypes = ['in_person', 'link', 'phone_host', 'phone_guest', 'google_meet'] as const;

export const Location = z.strictObject({
  type: z.enum(locationTypes),
  label: name(120)
    .nullable()
    .default(null)
    .meta({ examples: ['本社会議室'] }),
  value: text(1_000)
    .nullable()
    .default(null)
    .describe('The address, link or number: shown to who has booked alone.')
    .meta({ examples: ['東京都千代田区千代田1-1'] }),
});

export type Location = z.output<typeof Location>;

export const Reminder = z.strictObject({
  minutes_before: minutes(5, 43_200).meta({ examples: [1_440] }),
  to: z.enum(['guest', 'hosts', 'both']).meta({ examples: ['both'] }),
});

export type Reminder = z.output<typeof Reminder>;

/** The mails before a booking, at most five. */
export const Reminders = z.array(Reminder).max(5);

export const assignments = ['single', 'collective', 'round_robin'] as const;

export type Assignment = (typeof assignments)[number];

export const memberRoles = ['required', 'optional', 'rotating'] as const;

export type MemberRole = (typeof memberRoles)[number];

export const EventTypeMember = z
  .strictObject({
    user_id: id('usr'),
    role: z.enum(memberRoles),
    priority: z
      .int()
      .min(0)
      .max(4)
      .describe('Of rotating members: the highest that is free is taken.')
      .meta({ examples: [2] }),
    availability_id: id('avail').nullable().describe("null: the member's default."),
  })
  .meta({ id: 'SchedulerEventTypeMember' });

export type EventTypeMember = z.output<typeof EventTypeMember>;

/** As many hosts as an event type may have. */
export const MOST_MEMBERS = 200;

const { role, priority, availability_id } = EventTypeMember.shape;

/** Members as they are sent: the role follows from the assignment unless said. */
export const MembersInput = z
  .array(
    z
      .strictObject({
        user_id: id('usr'),
        role: role.describe('`rotating` in round robin, else `required`, unless said.').optional(),
        priority: priority.default(2),
        availability_id: availability_id.default(null),
      })
      .meta({ id: 'SchedulerEventTypeMemberInput' }),
  )
  .max(MOST_MEMBERS);

export type MembersInput = z.output<typeof MembersInput>;

export const eventTypeSlug = () =>
  z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,79}$/,
      says({
        en: 'must be 1 to 80 of a-z, 0-9 and -, and begin with a letter or digit',
        ja: 'は英小文字、数字、ハイフンの1〜80文字で、英小文字か数字から始めてください',
      }),
    )
    .meta({ examples: ['interview'] });

/** The fields of an event type that callers write, but its members. */
export const eventTypeFields = {
  title: name(120).meta({ examples: ['オンライン面談'] }),
  slug: eventTypeSlug().describe('Stands in the address of its page, once in the organization.'),
  description: freeText(5_000)
    .nullable()
    .meta({ examples: ['30分のオンライン面談です。'] }),
  duration_minutes: minutes(1, 1_440).meta({ examples: [30] }),
  duration_options: z
    .array(minutes(1, 1_440))
    .max(5)
    .refine((options) => new Set(options).size === options.length, {
      params: { code: 'duplicate' },
      error: says({ en: 'must name each length once', ja: 'には同じ長さを重複して指定できません' }),
    })
    .describe('Other lengths that guests may choose.')
    .meta({ examples: [[60]] }),
  slot_interval_minutes: minutes(1, 1_440)
    .nullable()
    .describe('From one start that is offered to the next; null: the duration.')
    .meta({ examples: [null] }),
  buffer_before_minutes: minutes(0, 720).meta({ examples: [0] }),
  buffer_after_minutes: minutes(0, 720).meta({ examples: [0] }),
  min_notice_minutes: minutes(0, LONGEST_NOTICE).meta({ examples: [120] }),
  booking_window: BookingWindow,
  limits: EventTypeLimits,
  seats_per_slot: z
    .int()
    .min(1)
    .max(1_000)
    .describe('Guests that share one start.')
    .meta({ examples: [1] }),
  confirmation: Confirmation,
  locations: z
    .array(Location)
    .max(5)
    .describe('Where it takes place: the first one unless the guest chooses.'),
  questions: Questions,
  assignment: z.enum(assignments).describe('Who hosts: one member, all, or one of several in turn.'),
  time_zone: timeZoneInput()
    .nullable()
    .describe(
      'Where its dates and limits are counted; null: with one member the zone of their availability, else that of the settings.',
    )
    .meta({ examples: [null] }),
  max_additional_guests: z
    .int()
    .min(0)
    .max(10)
    .meta({ examples: [0] }),
  cancel_cutoff_minutes: minutes(0, LONGEST_CUTOFF)
    .nullable()
    .describe('Until so long before the start a guest may cancel; null: never.')
    .meta({ examples: [0] }),
  reschedule_cutoff_minutes: minutes(0, LONGEST_CUTOFF)
    .nullable()
    .describe('Until so long before the start a guest may move it; null: never.')
    .meta({ examples: [0] }),
  reminders: Reminders.nullable()
    .describe('Mails before a booking; null: those of the settings.')
    .meta({ examples: [null] }),
  locale: z
    .enum(['ja', 'en'])
    .nullable()
    .describe("The language of its page and mails; null: the guest's.")
    .meta({ examples: [null] }),
  is_active: z
    .boolean()
    .describe('Whether guests find and book it.')
    .meta({ examples: [true] }),
};

const Fields = z.strictObject(eventTypeFields);

export type EventTypeFields = z.output<typeof Fields>;

/** What an event type has where nothing was sent; title, slug and duration have no default. */
export const eventTypeDefaults: Omit<EventTypeFields, 'title' | 'slug' | 'duration_minutes'> = {
  description: null,
  duration_options: [],
  slot_interval_minutes: null,
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  min_notice_minutes: 120,
  booking_window: { type: 'rolling_days', days: 60 },
  limits: { per_day: null, per_week: null, per_month: null, minutes_per_day: null, active_per_guest: null },
  seats_per_slot: 1,
  confirmation: { mode: 'auto', expires_after_minutes: 1_440, pending_blocks: true },
  locations: [],
  questions: [],
  assignment: 'single',
  time_zone: null,
  max_additional_guests: 0,
  cancel_cutoff_minutes: 0,
  reschedule_cutoff_minutes: 0,
  reminders: null,
  locale: null,
  is_active: true,
};
