import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { addFault, freeText, timeZoneInput } from '../../kernel/schema.ts';
import { Overrides, Weekly } from '../availability/fields.ts';
import { eventTypeDefaults, eventTypeFields, MOST_MEMBERS, memberRoles } from '../event-types/fields.ts';
import { candidateShape, slotsShape } from '../offers/record.ts';
import { instantInput, rangeEnd } from '../range.ts';

/** Blocks that all hosts of a preview may have together. */
const MOST_BLOCKS = 10_000;

type Issues = Pick<z.core.$RefinementCtx, 'addIssue'>;

const instant = (example: string) => instantInput().meta({ examples: [example] });
const end = (example: string) => rangeEnd().meta({ examples: [example] });

const { buffer_before_minutes, buffer_after_minutes } = eventTypeFields;

const Busy = z
  .strictObject({
    start: instant('2026-12-01T01:00:00.000Z'),
    end: instant('2026-12-01T02:00:00.000Z'),
    buffer_before_minutes: buffer_before_minutes.default(0),
    buffer_after_minutes: buffer_after_minutes.default(0),
    booking: freeText(100)
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Any name, where it is a booking of this type: the limits count it once a name. Else it is an external event.',
      )
      .meta({ examples: [null] }),
  })
  .superRefine(({ start, end: until }, issues) => {
    if (start >= until)
      addFault(issues, 'end', 'not_after_start', {
        en: 'must be after start',
        ja: 'は start より後の日時で指定してください',
      });
  });

const Host = z.strictObject({
  time_zone: timeZoneInput(),
  weekly: Weekly,
  overrides: Overrides.default([]),
  closed_on_holidays: z.boolean().default(false),
  role: z
    .enum(memberRoles)
    .default('required')
    .meta({ examples: ['required'] }),
  busy: z.array(Busy).default([]).describe(`At most ${MOST_BLOCKS} of all hosts together.`),
});

const { duration_minutes, slot_interval_minutes, min_notice_minutes, booking_window, limits, time_zone } =
  eventTypeFields;

const NO_LIMITS = { per_day: null, per_week: null, per_month: null, minutes_per_day: null };

const EventTypeOfPreview = z.strictObject({
  duration_minutes,
  slot_interval_minutes: slot_interval_minutes.default(eventTypeDefaults.slot_interval_minutes),
  buffer_before_minutes: buffer_before_minutes.default(eventTypeDefaults.buffer_before_minutes),
  buffer_after_minutes: buffer_after_minutes.default(eventTypeDefaults.buffer_after_minutes),
  min_notice_minutes: min_notice_minutes.default(eventTypeDefaults.min_notice_minutes),
  booking_window: booking_window.default(eventTypeDefaults.booking_window),
  limits: limits.omit({ active_per_guest: true }).default(NO_LIMITS),
  time_zone: time_zone.default(null).describe('Where dates and limits are counted; null: the first host’s.'),
});

/** All that starts follow from, but the organization's holidays and its first day of the week. */
export const SlotPreviewInput = z
  .strictObject({
    now: instant('2026-11-26T00:00:00.000Z').describe('The instant at which it is asked.'),
    from: end('2026-12-01').describe('An instant, or a date in the zone of the event type.'),
    to: end('2026-12-08').describe('Not within; at most 62 dates after `from`.'),
    event_type: EventTypeOfPreview,
    hosts: z
      .array(Host)
      .min(1)
      .max(MOST_MEMBERS)
      .superRefine((hosts, issues) => {
        if (hosts.length > 0 && hosts.every(({ role }) => role === 'optional')) refuseOptional(issues);
        if (hosts.reduce((sum, { busy }) => sum + busy.length, 0) > MOST_BLOCKS) refuseMany(issues);
        refuseMovedBookings(hosts, issues);
      }),
    explain: z
      .boolean()
      .default(false)
      .describe('Adds every aligned minute, and why it cannot be booked; of 48 hours at most.'),
  })
  .meta({ id: 'SchedulerSlotPreviewInput' });

export type SlotPreviewInput = z.output<typeof SlotPreviewInput>;

function refuseOptional(issues: Issues): void {
  issues.addIssue({
    code: 'custom',
    params: { code: 'members_mismatch' },
    message: says({
      en: 'must have a required or rotating member',
      ja: 'には required か rotating のメンバーが1人以上必要です',
    }),
  });
}

function refuseMany(issues: Issues): void {
  issues.addIssue({
    code: 'custom',
    params: { code: 'too_large' },
    message: says({
      en: `may have ${MOST_BLOCKS} blocks in all`,
      ja: `の busy は合計${MOST_BLOCKS}件までです`,
    }),
  });
}

/** A booking has one time, whoever hosts it. */
function refuseMovedBookings(hosts: readonly z.output<typeof Host>[], issues: Issues): void {
  const spans = new Map<string, string>();
  for (const [place, { busy }] of hosts.entries()) {
    for (const [index, { booking, start, end: until }] of busy.entries()) {
      if (booking === null) continue;
      const span = `${start} ${until}`;
      if (span === (spans.get(booking) ?? span)) spans.set(booking, span);
      else
        issues.addIssue({
          code: 'custom',
          path: [place, 'busy', index, 'booking'],
          params: { code: 'conflict' },
          message: says({
            en: 'is the name of a booking at another time',
            ja: 'は別の日時の予約に使われている名前です',
          }),
        });
    }
  }
}

const Candidate = z
  .strictObject({
    ...candidateShape,
    host: z
      .int()
      .nullable()
      .describe('The place among `hosts` of the one whose reason it is.')
      .meta({ examples: [0] }),
  })
  .meta({ id: 'SchedulerPreviewCandidate' });

export const SlotPreview = z
  .strictObject({ ...slotsShape, candidates: z.array(Candidate).describe('With `explain`.').optional() })
  .meta({ id: 'SchedulerSlotPreview' });

export type SlotPreview = z.output<typeof SlotPreview>;
