import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { id, text, timestamp, timestampInput } from '../../kernel/schema.ts';

export const activityTypes = ['note', 'call', 'email', 'meeting'] as const;

const fields = {
  type: z.enum(activityTypes),
  content: text(20_000).meta({ examples: ['見積りの説明。来週返事をもらう。'] }),
  deal_id: id('deal').nullable(),
  contact_id: id('cont').nullable(),
  company_id: id('comp').nullable(),
  duration_minutes: z
    .int()
    .min(0)
    .max(100_000)
    .nullable()
    .meta({ examples: [30] }),
};

/** A note, call, e-mail or meeting, as the API shows one. */
export const Activity = z
  .strictObject({
    id: id('act'),
    object: z.literal('crm.activity'),
    ...fields,
    occurred_at: timestamp(),
    due_at: timestamp().nullable(),
    done_at: timestamp().nullable(),
    ...ownKeys,
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Activity' });

export type Activity = z.output<typeof Activity>;

const sent = z
  .strictObject({
    ...fields,
    occurred_at: timestampInput().describe('When it took place; now unless said.'),
    due_at: timestampInput().nullable(),
    done_at: timestampInput().nullable(),
    ...ownKeysInput,
  })
  .partial();

/** What a new activity is made from. */
export const ActivityInput = sent.required({ type: true, content: true }).meta({ id: 'ActivityInput' });

export type ActivityInput = z.output<typeof ActivityInput>;

/** What a change of an activity may hold; only the fields sent change, `null` clears. */
export const ActivityPatch = sent.meta({ id: 'ActivityPatch' });

export type ActivityPatch = z.output<typeof ActivityPatch>;

export class ActivityModel extends TenantModel {
  static override tableName = 'crm_activities';
  static override jsonAttributes = ['metadata'];
}

/** What activities are looked up by. */
export const activityKind = recordKind({ table: ActivityModel.tableName, prefix: 'act' });

uniqueKey('crm_activities_external_id_once', {
  table: ActivityModel.tableName,
  read_by: 'crm:read',
  columns: ['external_id'],
  path: '/external_id',
  message: { en: 'Another activity has this external_id', ja: 'この external_id はほかの活動が使っています' },
});

export const activityFacts = factsOf({
  domain: 'crm',
  entity_type: 'activity',
  events: { created: 'crm.activity.created', deleted: 'crm.activity.deleted' },
});

refusesBy('crm_activities_organization_id_deal_id_fkey', () =>
  unknownReference('/deal_id', { en: 'The deal', ja: '案件' }),
);
refusesBy('crm_activities_organization_id_contact_id_fkey', () =>
  unknownReference('/contact_id', { en: 'The contact', ja: '担当者' }),
);
refusesBy('crm_activities_organization_id_company_id_fkey', () =>
  unknownReference('/company_id', { en: 'The company', ja: '取引先' }),
);
