import { z } from 'zod';
import { type Metadata, ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { computed, freeText, id, timestamp } from '../../kernel/schema.ts';
import { type RequestStatus, requestStatuses } from './statuses.ts';
import { requestActions } from './transitions.ts';

/** What the API shows of every request, beside what it asks for. */
export const requestFields = {
  status: z.enum(requestStatuses),
  approver_id: id('usr').nullable().describe('Who approved or rejected it.'),
  decided_at: timestamp().nullable(),
  decision_comment: freeText(500)
    .nullable()
    .meta({ examples: ['承認します'] }),
  available_actions: computed(z.array(z.enum(requestActions))).describe('What you can do to it now.'),
  created_by: id('usr').nullable().describe('Who filed it.'),
  ...ownKeys,
  created_at: timestamp(),
  updated_at: timestamp(),
};

/** What every new request takes, beside what it asks for. */
export const requestInput = {
  member_id: id('mem').describe('Yourself unless said.').optional(),
  external_id: ownKeysInput.external_id.optional(),
  metadata: ownKeysInput.metadata.optional(),
};

/** Why something is asked for, where that must be said. */
export const requiredReason = () =>
  freeText(500)
    .refine((value) => value.trim() !== '', { params: { code: 'required' } })
    .meta({ examples: ['打刻を忘れたため'] });

/** What a PATCH takes: a request itself is cancelled and filed anew. */
export const RequestPatch = z.strictObject(ownKeysInput).partial().meta({ id: 'AttendanceRequestPatch' });

export type RequestPatch = z.output<typeof RequestPatch>;

export const Approval = z
  .strictObject({
    comment: freeText(500)
      .nullable()
      .default(null)
      .meta({ examples: ['承認します'] }),
  })
  .meta({ id: 'AttendanceApproval' });

export const Rejection = z
  .strictObject({
    comment: freeText(500)
      .refine((value) => value.trim() !== '', { params: { code: 'required' } })
      .meta({ examples: ['繁忙期のため、別の日でお願いします'] }),
  })
  .meta({ id: 'AttendanceRejection' });

/** A request as it is kept, as far as all kinds have the same. */
export type RequestRow = {
  id: string;
  member_id: string;
  reason: string | null;
  status: RequestStatus;
  approver_id: string | null;
  decided_at: string | null;
  decision_comment: string | null;
  created_by: string | null;
  external_id: string | null;
  metadata: Metadata;
  created_at: string;
  updated_at: string;
};

/** The columns of it. */
export const requestColumns = [
  'id',
  'member_id',
  'reason',
  'status',
  'approver_id',
  'decided_at',
  'decision_comment',
  'created_by',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof RequestRow)[];
