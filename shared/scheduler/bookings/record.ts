import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { simpleValuesByName } from '../../kernel/open-objects.ts';
import { type Metadata, ownKeys } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, email, freeText, id, storable, text, timestamp } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import { locationTypes } from '../event-types/fields.ts';

/** As stored; `completed` is told of a confirmed one whose end has passed, `expired` also of a pending one by its time. */
export const bookingStatuses = [
  'pending',
  'confirmed',
  'completed',
  'declined',
  'expired',
  'cancelled',
  'no_show',
] as const;

export type BookingStatus = (typeof bookingStatuses)[number];
export type StoredStatus = Exclude<BookingStatus, 'completed'>;

/** What can be done to a booking, in the order of `available_actions`. */
export const bookingActions = ['confirm', 'decline', 'reschedule', 'cancel', 'no-show'] as const;

/** The guest of a booking. */
export const Guest = z
  .strictObject({
    name: name(100).meta({ examples: ['佐藤 花子'] }),
    email: email(),
    time_zone: z.string().meta({ examples: ['Asia/Tokyo'] }),
    locale: z.enum(['ja', 'en']),
    phone: text(50)
      .nullable()
      .meta({ examples: ['+81 90 1234 5678'] }),
  })
  .meta({ id: 'SchedulerGuest' });

export type Guest = z.output<typeof Guest>;

const BY_QUESTION = {
  description: 'By the ID of the question.',
  examples: [{ topic: '見積もりの相談' }],
};

/** What the questions were answered. */
export const Answers = simpleValuesByName().meta(BY_QUESTION);

export type Answers = z.output<typeof Answers>;

export type AnswerValue = Answers[string];

/** What one question was answered, as a request sends it. */
export const AnswerInput = z.union([
  storable(z.string()),
  z.number(),
  z.boolean(),
  z.array(storable(z.string())),
]);

/** The answers as a request sends them; the questions check the rest. */
export const AnswersInput = z.record(z.string(), AnswerInput).meta(BY_QUESTION);

export const BookedLocation = z
  .strictObject({
    type: z.enum(locationTypes),
    label: z
      .string()
      .nullable()
      .meta({ examples: ['オンライン'] }),
    value: z
      .string()
      .nullable()
      .describe('The address, link or number.')
      .meta({ examples: ['https://meet.example/abc'] }),
  })
  .meta({ id: 'SchedulerBookedLocation' });

export type BookedLocation = z.output<typeof BookedLocation>;

export const AssignmentReason = z
  .strictObject({
    rule: z.enum(['only_free', 'priority', 'fewest', 'least_recent', 'order']),
    candidates: z.array(id('usr')).describe('The rotating members who were free.'),
  })
  .meta({ id: 'SchedulerAssignmentReason' });

export type AssignmentReason = z.output<typeof AssignmentReason>;

const HistoryEntry = z.strictObject({
  revision: z.int(),
  start: timestamp(),
  end: timestamp(),
  user_ids: z.array(id('usr')),
  changed_at: timestamp(),
  changed_by: z.enum(['guest', 'staff']),
});

const revision = () =>
  z
    .int()
    .describe('Counts reschedules and cancellations.')
    .meta({ examples: [0] });

const cancelReason = () =>
  freeText(1_000)
    .nullable()
    .describe('Why it was cancelled or declined.')
    .meta({ examples: ['都合がつかなくなりました'] });

const shared = {
  id: id('book'),
  object: z.literal('scheduler.booking'),
  event_type_id: id('etype').nullable(),
  title: z.string().meta({ examples: ['初回相談'] }),
  status: z.enum(bookingStatuses),
  start: timestamp(),
  end: timestamp(),
  duration_minutes: z.int().meta({ examples: [30] }),
  guest: Guest,
  additional_guests: z.array(email()),
  answers: Answers,
};

/** A booking, as the API shows it to staff. */
export const Booking = z
  .strictObject({
    ...shared,
    hosts: z.array(
      z.strictObject({ user_id: id('usr'), name: z.string().meta({ examples: ['山田 太郎'] }) }),
    ),
    assignment_reason: AssignmentReason.nullable().describe('Why round robin chose its host.'),
    location: BookedLocation.nullable(),
    source: z.enum(['public', 'staff', 'proposal']),
    proposal_id: id('prop').nullable(),
    session_id: id('bsess').nullable().describe('The session that it has a seat of.'),
    revision: revision(),
    ics_sequence: z
      .int()
      .describe('SEQUENCE of its last iCalendar mail.')
      .meta({ examples: [0] }),
    history: z.array(HistoryEntry).describe('The times that it had before.'),
    cancelled_at: timestamp().nullable(),
    cancelled_by: z.enum(['guest', 'staff']).nullable(),
    cancel_reason: cancelReason(),
    calendar_sync: computed(z.enum(['none', 'pending', 'written', 'failed'])).describe(
      "Whether it stands in its hosts' calendars.",
    ),
    available_actions: computed(z.array(z.enum(bookingActions))).describe('What can be done to it now.'),
    ...ownKeys,
    created_by: id('usr').nullable().describe('Null where the guest booked.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SchedulerBooking' });

export type Booking = z.output<typeof Booking>;

/** A booking, as its guest sees it. */
export const GuestBooking = z
  .strictObject({
    ...shared,
    hosts: z.array(z.strictObject({ name: z.string().meta({ examples: ['山田 太郎'] }) })),
    location: BookedLocation.nullable(),
    revision: revision(),
    cancelled_at: timestamp().nullable(),
    cancelled_by: z.enum(['guest', 'staff']).nullable(),
    cancel_reason: cancelReason(),
    available_actions: z.array(z.enum(['reschedule', 'cancel'])).describe('What the guest can do to it now.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SchedulerGuestBooking' });

export type GuestBooking = z.output<typeof GuestBooking>;

/** A booking as it is stored, without its searched text. */
export type BookingRecord = {
  id: string;
  event_type_id: string | null;
  title: string;
  status: StoredStatus;
  /** Whether the limits count it. */
  is_counted: boolean;
  start: string;
  end: string;
  guest: Guest;
  guest_email_key: string;
  additional_guests: string[];
  answers: Answers;
  /** Its hosts, in the members' order. */
  user_ids: string[];
  assignment_reason: AssignmentReason | null;
  /** When its hosts were chosen. */
  assigned_at: string;
  location: BookedLocation | null;
  source: Booking['source'];
  proposal_id: string | null;
  session_id: string | null;
  revision: number;
  ics_sequence: number;
  history: Booking['history'];
  /** Of a pending one: when it expires. */
  pending_expires_at: string | null;
  cancelled_at: string | null;
  cancelled_by: Booking['cancelled_by'];
  cancel_reason: string | null;
  calendar_sync: Booking['calendar_sync'];
  /** The key of the form that it was made with: a second submit finds it. */
  form_key: string | null;
  external_id: string | null;
  metadata: Metadata;
  created_by: string | null;
  created_at: string;
  updated_at: string;
};

export const bookingColumns = [
  'id',
  'event_type_id',
  'title',
  'status',
  'is_counted',
  'start',
  'end',
  'guest',
  'guest_email_key',
  'additional_guests',
  'answers',
  'user_ids',
  'assignment_reason',
  'assigned_at',
  'location',
  'source',
  'proposal_id',
  'session_id',
  'revision',
  'ics_sequence',
  'history',
  'pending_expires_at',
  'cancelled_at',
  'cancelled_by',
  'cancel_reason',
  'calendar_sync',
  'form_key',
  'external_id',
  'metadata',
  'created_by',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof BookingRecord)[];

export class BookingModel extends TenantModel {
  static override tableName = 'scheduler_bookings';
  static override jsonAttributes = [
    'guest',
    'additional_guests',
    'answers',
    'user_ids',
    'assignment_reason',
    'location',
    'history',
    'metadata',
  ];
}

/** Which bookings a host has: `start` is the booking's, so that lists of one host need no other table. */
export class BookingHostModel extends TenantModel {
  static override tableName = 'scheduler_booking_hosts';
}

/** What bookings are looked up by. */
export const bookingKind = recordKind({ table: BookingModel.tableName, prefix: 'book' });

/** What e-mails are compared by: without case. */
export function emailKey(address: string): string {
  return address.toLowerCase();
}

uniqueKey('scheduler_bookings_external_id_once', {
  table: BookingModel.tableName,
  read_by: 'scheduler:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another booking has this external_id',
    ja: 'この external_id はほかの予約が使っています',
  },
});
