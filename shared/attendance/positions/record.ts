import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, id, text, timestamp } from '../../kernel/schema.ts';
import { orgCode, sortOrder } from '../org-code.ts';

const fields = {
  name: text(100).meta({ examples: ['課長'] }),
  code: orgCode().nullable().describe('Unique among positions.'),
  sort_order: sortOrder(),
};

/** A position, as the API shows it. */
export const Position = z
  .strictObject({
    id: id('posn'),
    object: z.literal('attendance.position'),
    ...fields,
    member_count: computed(z.int())
      .describe('Members who have it, without those who have left.')
      .meta({ examples: [3] }),
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Position' });

export type Position = z.output<typeof Position>;

const sent = z.strictObject({ ...fields, ...ownKeysInput }).partial();

export const PositionInput = sent.required({ name: true }).meta({ id: 'PositionInput' });

export type PositionInput = z.output<typeof PositionInput>;

export const PositionPatch = sent.meta({ id: 'PositionPatch' });

export type PositionPatch = z.output<typeof PositionPatch>;

/** A position of a batch: the one of this code is changed, or made. */
export const PositionItem = z
  .strictObject({ name: fields.name, code: orgCode(), sort_order: sortOrder().optional() })
  .meta({ id: 'PositionItem' });

export type PositionItem = z.output<typeof PositionItem>;

export class PositionModel extends TenantModel {
  static override tableName = 'attendance_positions';
  static override jsonAttributes = ['metadata'];
}

/** What positions are looked up by. */
export const positionKind = recordKind({
  table: PositionModel.tableName,
  prefix: 'posn',
  keys: { code: { schema: orgCode() } },
});

export const positionFacts = factsOf({
  domain: 'attendance',
  entity_type: 'position',
  computed: computedIn(Position),
});

export const CODE_ONCE = 'attendance_positions_code_once';

uniqueKey(CODE_ONCE, {
  table: PositionModel.tableName,
  read_by: 'attendance:read',
  columns: ['code'],
  path: '/code',
  message: { en: 'Another position has this code', ja: 'このコードはほかの役職が使っています' },
});
uniqueKey('attendance_positions_external_id_once', {
  table: PositionModel.tableName,
  read_by: 'attendance:read',
  columns: ['external_id'],
  path: '/external_id',
  message: { en: 'Another position has this external_id', ja: 'この external_id はほかの役職が使っています' },
});
