import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { says } from '../../kernel/language.ts';
import { type Metadata, ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import {
  addFault,
  computed,
  email,
  freeText,
  id,
  timestamp,
  timestampInput,
  timeZone,
  timeZoneInput,
} from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import { AnswersInput, BookedLocation } from '../bookings/record.ts';
import { Location, MOST_MEMBERS } from '../event-types/fields.ts';
import { instantInput } from '../range.ts';
import { proposalActions, proposalStatuses } from './transitions.ts';

/** Starts that one proposal may offer. */
export const MOST_CANDIDATES = 20;

const guest = {
  name: name(100).meta({ examples: ['佐藤 花子'] }),
  email: email(),
};

/** Whom a proposal is for. */
export const ProposalGuest = z
  .strictObject({ ...guest, time_zone: timeZone(), locale: z.enum(['ja', 'en']) })
  .meta({ id: 'SchedulerProposalGuest' });

export type ProposalGuest = z.output<typeof ProposalGuest>;

const Candidate = z.strictObject({
  start: timestamp(),
  end: timestamp(),
  available: computed(z.boolean())
    .describe('Whether it can be accepted now.')
    .meta({ examples: [true] }),
});

const title = () => name(120).meta({ examples: ['お打ち合わせ'] });
const duration = () =>
  z
    .int()
    .min(1)
    .max(1_440)
    .meta({ examples: [60] });
const message = () =>
  freeText(2_000)
    .nullable()
    .meta({ examples: ['ご都合のよい日時をお選びください。'] });
const hold = () =>
  z
    .enum(['tentative', 'none'])
    .describe(
      '`tentative`: all times are kept for the guest while it is open; `none`: whoever books first has them.',
    );

const shared = {
  id: id('prop'),
  object: z.literal('scheduler.proposal'),
  title: title(),
  duration_minutes: duration(),
  candidates: z.array(Candidate).describe('The times to choose from, by their starts.'),
  guest: ProposalGuest,
  message: message(),
  status: z.enum(proposalStatuses),
  expires_at: timestamp(),
  booking_id: id('book').nullable().describe('What was booked when it was accepted.'),
  decline_reason: freeText(1_000)
    .nullable()
    .describe('What the guest said who declined it.')
    .meta({ examples: [null] }),
};

/** A proposal of several times, as the API shows it to members. */
export const Proposal = z
  .strictObject({
    ...shared,
    event_type_id: id('etype').nullable(),
    location: BookedLocation.nullable(),
    user_ids: z.array(id('usr')).describe('Who hosts.'),
    hold: hold(),
    available_actions: computed(z.array(z.enum(proposalActions))).describe('What you can do to it now.'),
    ...ownKeys,
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SchedulerProposal' });

export type Proposal = z.output<typeof Proposal>;

/** A proposal, as its guest sees it: what the location is stays with the booking. */
export const GuestProposal = z
  .strictObject({
    ...shared,
    location: BookedLocation.omit({ value: true }).nullable(),
    hosts: z.array(z.strictObject({ name: z.string().meta({ examples: ['山田 太郎'] }) })),
    available_actions: z.array(z.enum(['accept', 'decline'])).describe('What the guest can do to it now.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SchedulerGuestProposal' });

export type GuestProposal = z.output<typeof GuestProposal>;

const WHOLE_MINUTE = /:00\.000Z$/;

/** An instant that begins a minute: nothing else can be booked. */
export function startInput() {
  return instantInput().refine((start) => WHOLE_MINUTE.test(start), {
    params: { code: 'invalid_value' },
    error: says({ en: 'must be a whole minute', ja: 'は分単位の日時で指定してください' }),
  });
}

/** What a new proposal is made from. */
export const ProposalInput = z
  .strictObject({
    event_type_id: id('etype').nullable().default(null),
    title: title().describe("The event type's unless said.").optional(),
    duration_minutes: duration().describe("The event type's unless said.").optional(),
    location: Location.nullable().describe("The event type's first unless said.").optional(),
    user_ids: z
      .array(id('usr'))
      .min(1)
      .max(MOST_MEMBERS)
      .describe('Who hosts: of an event type, its required members unless said, and never without them.')
      .optional(),
    candidates: z
      .array(z.strictObject({ start: startInput() }))
      .min(1)
      .max(MOST_CANDIDATES),
    guest: z.strictObject({
      ...guest,
      time_zone: timeZoneInput()
        .describe('That of the event type, else of the settings, unless said.')
        .optional(),
      locale: z
        .enum(['ja', 'en'])
        .describe('That of the event type, else of the settings, unless said.')
        .optional(),
    }),
    message: message().default(null),
    hold: hold().default('tentative'),
    expires_at: timestampInput()
      .describe('In 7 days unless said, in 60 at most, and never after the last candidate.')
      .optional(),
    notify: z
      .boolean()
      .default(true)
      .describe('Whether the guest is told by mail.')
      .meta({ examples: [true] }),
    ...z.strictObject(ownKeysInput).partial().shape,
  })
  .superRefine(({ event_type_id, candidates, ...sent }, issues) => {
    for (const field of ['title', 'duration_minutes', 'user_ids'] as const) {
      if (event_type_id !== null || sent[field] !== undefined) continue;
      addFault(issues, field, 'required', {
        en: 'is required without event_type_id',
        ja: 'は event_type_id がない場合に必須です',
      });
    }
    const starts = candidates.map(({ start }) => start);
    starts.forEach((start, place) => {
      if (starts.indexOf(start) === place) return;
      issues.addIssue({
        code: 'custom',
        path: ['candidates', place, 'start'],
        params: { code: 'duplicate' },
        message: says({ en: 'is there twice', ja: 'が重複しています' }),
      });
    });
  })
  .meta({ id: 'SchedulerProposalInput' });

export type ProposalInput = z.output<typeof ProposalInput>;

/** What a PATCH takes: a proposal itself is withdrawn and made anew. */
export const ProposalPatch = z.strictObject(ownKeysInput).partial().meta({ id: 'SchedulerProposalPatch' });

export type ProposalPatch = z.output<typeof ProposalPatch>;

/** What a guest accepts. */
export const Acceptance = z
  .strictObject({ start: startInput(), answers: AnswersInput.default({}) })
  .meta({ id: 'SchedulerAcceptance' });

export type Acceptance = z.output<typeof Acceptance>;

/** A proposal as it is stored. */
export type ProposalRow = Omit<Proposal, 'object' | 'candidates' | 'available_actions'> & {
  candidates: { start: string }[];
  metadata: Metadata;
};

export const proposalColumns = [
  'id',
  'event_type_id',
  'title',
  'duration_minutes',
  'location',
  'user_ids',
  'candidates',
  'guest',
  'message',
  'hold',
  'status',
  'expires_at',
  'booking_id',
  'decline_reason',
  'external_id',
  'metadata',
  'created_by',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ProposalRow)[];

export class ProposalModel extends TenantModel {
  static override tableName = 'scheduler_proposals';
  static override jsonAttributes = ['location', 'user_ids', 'candidates', 'guest', 'metadata'];
}

/** What proposals are looked up by. */
export const proposalKind = recordKind({ table: ProposalModel.tableName, prefix: 'prop' });

uniqueKey('scheduler_proposals_external_id_once', {
  table: ProposalModel.tableName,
  read_by: 'scheduler:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another proposal has this external_id',
    ja: 'この external_id はほかの提案が使っています',
  },
});
