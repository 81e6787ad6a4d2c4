import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { type Metadata, ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, day, freeText, id, timestamp } from '../../kernel/schema.ts';
import { yearMonth } from '../months/month.ts';
import { AttendanceLimits, AttendanceTotals } from '../months/record.ts';
import { seesOwnerIn } from '../sight/owner.ts';
import { type KeptStatus, keptStatuses, submissionActions } from './transitions.ts';

/** The month of a member that was submitted, as the API shows it. */
export const Submission = z
  .strictObject({
    id: id('msub'),
    object: z.literal('attendance.submission'),
    member_id: id('mem'),
    month: yearMonth(),
    period_start: day(),
    period_end: day(),
    status: z.enum(keptStatuses).meta({ examples: ['submitted'] }),
    revision: z
      .int()
      .describe('How often it was confirmed; what was confirmed is kept each time.')
      .meta({ examples: [0] }),
    comment: freeText(500)
      .nullable()
      .describe('Of who submitted, returned or reopened it last.')
      .meta({ examples: ['残業の申請漏れを確認してください'] }),
    submitted_by: id('usr').nullable(),
    submitted_at: timestamp(),
    confirmed_by: id('usr').nullable().describe('Who confirmed it last.'),
    confirmed_at: timestamp().nullable(),
    totals: computed(AttendanceTotals).describe('As they were submitted.'),
    limits: computed(AttendanceLimits.nullable()).describe('As they were submitted; null for exempt people.'),
    available_actions: computed(z.array(z.enum(submissionActions))).describe('What you can do to it now.'),
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'AttendanceSubmission' });

export type Submission = z.output<typeof Submission>;

/** What closes a month. */
export const SubmissionInput = z
  .strictObject({
    month: yearMonth(),
    member_id: id('mem').describe('Yourself unless said.').optional(),
    accept_absences: z
      .boolean()
      .default(false)
      .describe('Closes the month with workdays on which there is neither presence nor leave.'),
    comment: freeText(500)
      .nullable()
      .default(null)
      .meta({ examples: ['10日は直行直帰です'] }),
    external_id: ownKeysInput.external_id.optional(),
    metadata: ownKeysInput.metadata.optional(),
  })
  .meta({ id: 'AttendanceSubmissionInput' });

export type SubmissionInput = z.output<typeof SubmissionInput>;

/** Why a month is opened again. */
export const Opening = z
  .strictObject({
    comment: freeText(500)
      .refine((value) => value.trim() !== '', { params: { code: 'required' } })
      .meta({ examples: ['10日の退勤時刻を確認してください'] }),
  })
  .meta({ id: 'AttendanceSubmissionOpening' });

/** What a PATCH takes: a month itself is closed and opened by its actions. */
export const SubmissionPatch = z
  .strictObject(ownKeysInput)
  .partial()
  .meta({ id: 'AttendanceSubmissionPatch' });

export type SubmissionPatch = z.output<typeof SubmissionPatch>;

/** A submission as it is kept. `frozen_revision`: the days that stand for the period while it is closed. */
export type SubmissionRow = {
  id: string;
  member_id: string;
  month: string;
  period_start: string;
  period_end: string;
  status: KeptStatus;
  revision: number;
  frozen_revision: number | null;
  comment: string | null;
  submitted_by: string | null;
  submitted_at: string;
  confirmed_by: string | null;
  confirmed_at: string | null;
  totals: Submission['totals'];
  limits: Submission['limits'];
  external_id: string | null;
  metadata: Metadata;
  created_at: string;
  updated_at: string;
};

/** The columns of it. */
export const submissionColumns = [
  'id',
  'member_id',
  'month',
  'period_start',
  'period_end',
  'status',
  'revision',
  'frozen_revision',
  'comment',
  'submitted_by',
  'submitted_at',
  'confirmed_by',
  'confirmed_at',
  'totals',
  'limits',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof SubmissionRow)[];

export class SubmissionModel extends TenantModel {
  static override tableName = 'attendance_submissions';
  static override jsonAttributes = ['totals', 'limits', 'metadata'];
}

/** The days, figures and settings that a period is closed with. */
export class PeriodRevisionModel extends TenantModel {
  static override tableName = 'attendance_period_revisions';
  static override jsonAttributes = ['totals', 'limits', 'settings'];
}

export class FrozenDayModel extends TenantModel {
  static override tableName = 'attendance_frozen_days';
  static override jsonAttributes = ['day', 'alerts', 'segments'];
}

/** What submissions are looked up by. */
export const submissionKind = recordKind({ table: SubmissionModel.tableName, prefix: 'msub' });

export const submissionFacts = factsOf({
  domain: 'attendance',
  entity_type: 'submission',
  computed: [...computedIn(Submission), 'frozen_revision'],
});

uniqueKey('attendance_submissions_external_id_once', {
  table: SubmissionModel.tableName,
  read_by: 'attendance:read',
  sees: seesOwnerIn(SubmissionModel.tableName),
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another submission has this external_id',
    ja: 'この external_id はほかの提出が使っています',
  },
});
