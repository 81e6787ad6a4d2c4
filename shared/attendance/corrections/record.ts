import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computedIn, day, id } from '../../kernel/schema.ts';
import { attendanceDay } from '../dates.ts';
import { MOST_SESSIONS, SessionInput, SessionShown } from '../records/record.ts';
import { requestColumns, requestFields, requestInput, requiredReason } from '../requests/record.ts';
import { seesOwnerIn } from '../sight/owner.ts';

/** A request to change the sessions of a day, as the API shows it. */
export const Correction = z
  .strictObject({
    id: id('corr'),
    object: z.literal('attendance.correction'),
    member_id: id('mem'),
    work_date: day(),
    before: z
      .strictObject({ sessions: z.array(SessionShown) })
      .describe('The day as it was when the correction was filed.'),
    sessions: z.array(SessionShown).describe('All sessions that the day should have.'),
    base_version: z
      .int()
      .describe(
        'The `version` of the record that `before` shows. It is approved only while the record has it.',
      )
      .meta({ examples: [1] }),
    reason: requiredReason(),
    ...requestFields,
  })
  .meta({ id: 'AttendanceCorrection' });

export type Correction = z.output<typeof Correction>;

/** What a new correction is made from. */
export const CorrectionInput = z
  .strictObject({
    ...requestInput,
    work_date: attendanceDay(),
    sessions: z
      .array(SessionInput)
      .max(MOST_SESSIONS)
      .describe('All sessions that the day should have: what is left out is removed.'),
    reason: requiredReason(),
  })
  .meta({ id: 'AttendanceCorrectionInput' });

export type CorrectionInput = z.output<typeof CorrectionInput>;

export const correctionColumns = [
  'work_date',
  'before',
  'sessions',
  'base_version',
  ...requestColumns,
] as const;

/** A correction as it is kept. */
export type CorrectionRow = Pick<Correction, (typeof correctionColumns)[number]>;

export class CorrectionModel extends TenantModel {
  static override tableName = 'attendance_corrections';
  static override jsonAttributes = ['before', 'sessions', 'metadata'];
}

/** What corrections are looked up by. */
export const correctionKind = recordKind({ table: CorrectionModel.tableName, prefix: 'corr' });

export const correctionFacts = factsOf({
  domain: 'attendance',
  entity_type: 'correction',
  computed: computedIn(Correction),
});

uniqueKey('attendance_corrections_external_id_once', {
  table: CorrectionModel.tableName,
  read_by: 'attendance:read',
  sees: seesOwnerIn(CorrectionModel.tableName),
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another correction has this external_id',
    ja: 'この external_id はほかの修正申請が使っています',
  },
});
