import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { id, text, timestamp } from '../../kernel/schema.ts';
import { attendanceDay } from '../dates.ts';

export const holidayKinds = ['national', 'company'] as const;

const countsAs = z.enum(['prescribed_holiday', 'legal_holiday', 'workday']);

const fields = {
  date: attendanceDay(),
  name: text(100).meta({ examples: ['年末休業'] }),
  name_en: text(100)
    .nullable()
    .meta({ examples: ['Year-end holiday'] }),
  counts_as: countsAs
    .describe('What the day is; of national ones as the settings of that day say.')
    .meta({ examples: ['prescribed_holiday'] }),
};

/** A holiday, as the API shows it. A company's overrules the national one of its date. */
export const Holiday = z
  .strictObject({
    id: id('hol'),
    object: z.literal('attendance.holiday'),
    date: fields.date,
    kind: z.enum(holidayKinds).meta({ examples: ['company'] }),
    name: fields.name,
    name_en: fields.name_en,
    counts_as: fields.counts_as,
    source: z
      .string()
      .nullable()
      .describe('Where a national one is from.')
      .meta({ examples: [null] }),
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Holiday' });

export type Holiday = z.output<typeof Holiday>;

export const HolidayInput = z
  .strictObject({
    date: fields.date,
    kind: z.literal('company').describe('National holidays are there.').default('company'),
    name: fields.name,
    name_en: fields.name_en.default(null),
    counts_as: countsAs.default('prescribed_holiday'),
    external_id: ownKeysInput.external_id.optional(),
    metadata: ownKeysInput.metadata.optional(),
  })
  .meta({ id: 'HolidayInput' });

export type HolidayInput = z.output<typeof HolidayInput>;

export const HolidayPatch = z
  .strictObject({
    date: fields.date,
    name: fields.name,
    name_en: fields.name_en,
    counts_as: countsAs,
    ...ownKeysInput,
  })
  .partial()
  .meta({ id: 'HolidayPatch' });

export type HolidayPatch = z.output<typeof HolidayPatch>;

export class HolidayModel extends TenantModel {
  static override tableName = 'attendance_holidays';
  static override jsonAttributes = ['metadata'];
}

/** What holidays are looked up by. */
export const holidayKind = recordKind({ table: HolidayModel.tableName, prefix: 'hol' });

export const holidayFacts = factsOf({ domain: 'attendance', entity_type: 'holiday' });

uniqueKey('attendance_holidays_date_once', {
  table: HolidayModel.tableName,
  read_by: 'attendance:read',
  columns: ['date'],
  path: '/date',
  message: { en: 'The company has a holiday on this date', ja: 'この日付には会社の休日が登録されています' },
});
uniqueKey('attendance_holidays_external_id_once', {
  table: HolidayModel.tableName,
  read_by: 'attendance:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another holiday has this external_id',
    ja: 'この external_id はほかの休日が使っています',
  },
});
