import { z } from 'zod';
import { ownKeysInput } from '../../kernel/own-keys.ts';
import { email, freeText, id, text, timeZoneInput } from '../../kernel/schema.ts';
import { guestName } from '../../platform/access/names.ts';
import { locationTypes } from '../event-types/fields.ts';
import { instantInput } from '../range.ts';
import { AnswersInput } from './record.ts';

/** Who books, as it is sent. */
const GuestInput = z
  .strictObject({
    name: guestName(100).meta({ examples: ['佐藤 花子'] }),
    email: email(),
    time_zone: timeZoneInput().describe("That of the event type's dates unless said.").optional(),
    locale: z
      .enum(['ja', 'en'])
      .describe('That of the event type, else of the settings, unless said.')
      .optional(),
    phone: text(50)
      .nullable()
      .meta({ examples: ['+81 90 1234 5678'] })
      .optional(),
  })
  .meta({ id: 'SchedulerGuestInput' });

const notify = z
  .boolean()
  .default(true)
  .describe('Whether guests and hosts are told by mail.')
  .meta({ examples: [true] });
const force = z
  .boolean()
  .default(false)
  .describe(
    'Books whatever the availability, notice and limits say. Bookings and holds of the hosts stay in the way.',
  )
  .meta({ examples: [false] });
const duration_minutes = z
  .int()
  .min(1)
  .max(1_440)
  .describe('One of the lengths that the event type offers; its `duration_minutes` unless said.')
  .meta({ examples: [30] })
  .optional();
const user_ids = z
  .array(id('usr'))
  .min(1)
  .max(200)
  .describe('Who hosts, of the members of the event type; unless said, as for a guest.')
  .optional();
const start = instantInput().meta({ examples: ['2026-12-01T01:00:00.000Z'] });
const reason = freeText(1_000)
  .nullable()
  .default(null)
  .meta({ examples: ['都合がつかなくなりました'] });

const booked = {
  start,
  duration_minutes,
  guest: GuestInput,
  additional_guests: z
    .array(email())
    .max(10)
    .default([])
    .describe('E-mail addresses of others who come.')
    .meta({ examples: [[]] }),
  answers: AnswersInput.default({}),
  location_type: z
    .enum(locationTypes)
    .describe('One of the locations of the event type; the first unless said.')
    .optional(),
};

/** What a guest books. */
export const GuestBookingInput = z
  .strictObject({
    ...booked,
    hold_token: z
      .string()
      .max(100)
      .describe('Of a hold on this start: it is used up. One that is unknown or over is ignored.')
      .meta({ examples: ['V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'] })
      .optional(),
  })
  .meta({ id: 'SchedulerGuestBookingInput' });

export type GuestBookingInput = z.output<typeof GuestBookingInput>;

/** What staff book for a guest. */
export const BookingInput = z
  .strictObject({
    event_type_id: id('etype'),
    ...booked,
    user_ids,
    force,
    notify,
    external_id: ownKeysInput.external_id.optional(),
    metadata: ownKeysInput.metadata.optional(),
  })
  .meta({ id: 'SchedulerBookingInput' });

export type BookingInput = z.output<typeof BookingInput>;

/** Another time of a booking, as staff choose it. */
export const Rescheduling = z
  .strictObject({
    start,
    duration_minutes: duration_minutes.describe('The present one unless said.'),
    user_ids,
    force,
    notify,
  })
  .meta({ id: 'SchedulerRescheduling' });

export type Rescheduling = z.output<typeof Rescheduling>;

export const GuestRescheduling = z.strictObject({ start }).meta({ id: 'SchedulerGuestRescheduling' });

export const Cancellation = z.strictObject({ reason, notify }).meta({ id: 'SchedulerCancellation' });

export type Cancellation = z.output<typeof Cancellation>;

export const GuestCancellation = z.strictObject({ reason }).meta({ id: 'SchedulerGuestCancellation' });

export const NoShow = z
  .strictObject({
    no_show: z
      .boolean()
      .describe('false takes it back.')
      .meta({ examples: [true] }),
  })
  .meta({ id: 'SchedulerNoShow' });

/** What a PATCH takes: all else of a booking changes by its actions. */
export const BookingPatch = z.strictObject(ownKeysInput).partial().meta({ id: 'SchedulerBookingPatch' });

export type BookingPatch = z.output<typeof BookingPatch>;
