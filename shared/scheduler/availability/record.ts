import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { id, timestamp, timeZoneInput } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import { seesOwn } from '../members/owner.ts';
import { Overrides, Weekly } from './fields.ts';

const fields = {
  name: name(80).meta({ examples: ['平日'] }),
  time_zone: timeZoneInput().describe('The zone of its clock times.'),
  is_default: z
    .boolean()
    .describe('One of each member is: that of event types which name none.')
    .meta({ examples: [true] }),
  weekly: Weekly,
  overrides: Overrides,
  closed_on_holidays: z
    .boolean()
    .describe('Whether holidays of attendance close it, but those that count as workdays.'),
};

/** When a member can be booked, as the API shows it. */
export const Availability = z
  .strictObject({
    id: id('avail'),
    object: z.literal('scheduler.availability'),
    user_id: id('usr'),
    ...fields,
    time_zone: z.string().meta({ examples: ['Asia/Tokyo'] }),
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SchedulerAvailability' });

export type Availability = z.output<typeof Availability>;

const sent = z.strictObject({ ...fields, ...ownKeysInput }).partial();

export const AvailabilityInput = sent
  .extend({
    user_id: id('usr').describe('Whose it is: the acting member unless said.').optional(),
    is_default: fields.is_default.describe('The first one of a member always is.').optional(),
    time_zone: fields.time_zone.describe('That of the settings unless said.').optional(),
  })
  .required({ name: true })
  .meta({ id: 'SchedulerAvailabilityInput' });

export type AvailabilityInput = z.output<typeof AvailabilityInput>;

export const AvailabilityPatch = sent.meta({ id: 'SchedulerAvailabilityPatch' });

export type AvailabilityPatch = z.output<typeof AvailabilityPatch>;

export class AvailabilityModel extends TenantModel {
  static override tableName = 'scheduler_availability';
  static override jsonAttributes = ['weekly', 'overrides', 'metadata'];
}

/** What availability is looked up by. */
export const availabilityKind = recordKind({ table: AvailabilityModel.tableName, prefix: 'avail' });

export const availabilityFacts = factsOf({ domain: 'scheduler', entity_type: 'availability' });

uniqueKey('scheduler_availability_external_id_once', {
  table: AvailabilityModel.tableName,
  read_by: 'scheduler:read',
  sees: seesOwn(AvailabilityModel.tableName),
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another availability has this external_id',
    ja: 'この external_id はほかの予約可能時間が使っています',
  },
});
