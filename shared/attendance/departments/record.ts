import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, id, text, timestamp } from '../../kernel/schema.ts';
import { orgCode, sortOrder } from '../org-code.ts';

const fields = {
  name: text(100).meta({ examples: ['営業部'] }),
  code: orgCode().nullable().describe('Unique among departments.'),
  parent_id: id('dept').nullable().describe('The department that it is a part of; 20 levels at most.'),
  manager_member_id: id('mem')
    .nullable()
    .describe('Who manages it: with the role manager, this member sees its people and all below.'),
  sort_order: sortOrder(),
};

/** A department, as the API shows it. */
export const Department = z
  .strictObject({
    id: id('dept'),
    object: z.literal('attendance.department'),
    ...fields,
    member_count: computed(z.int())
      .describe('Members directly in it, without those who have left.')
      .meta({ examples: [12] }),
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Department' });

export type Department = z.output<typeof Department>;

const sent = z.strictObject({ ...fields, ...ownKeysInput }).partial();

export const DepartmentInput = sent.required({ name: true }).meta({ id: 'DepartmentInput' });

export type DepartmentInput = z.output<typeof DepartmentInput>;

export const DepartmentPatch = sent.meta({ id: 'DepartmentPatch' });

export type DepartmentPatch = z.output<typeof DepartmentPatch>;

/** A department of a batch: the one of this code is changed, or made. */
export const DepartmentItem = z
  .strictObject({
    name: fields.name,
    code: orgCode(),
    parent_code: orgCode()
      .nullable()
      .describe('The code of its parent, which may stand in the batch too; null: none.')
      .meta({ examples: ['HQ'] })
      .optional(),
    sort_order: sortOrder().optional(),
  })
  .meta({ id: 'DepartmentItem' });

export type DepartmentItem = z.output<typeof DepartmentItem>;

export class DepartmentModel extends TenantModel {
  static override tableName = 'attendance_departments';
  static override jsonAttributes = ['metadata'];
}

/** What departments are looked up by. */
export const departmentKind = recordKind({
  table: DepartmentModel.tableName,
  prefix: 'dept',
  keys: { code: { schema: orgCode() } },
});

export const departmentFacts = factsOf({
  domain: 'attendance',
  entity_type: 'department',
  computed: computedIn(Department),
});

export const CODE_ONCE = 'attendance_departments_code_once';

uniqueKey(CODE_ONCE, {
  table: DepartmentModel.tableName,
  read_by: 'attendance:read',
  columns: ['code'],
  path: '/code',
  message: { en: 'Another department has this code', ja: 'このコードはほかの部署が使っています' },
});
uniqueKey('attendance_departments_external_id_once', {
  table: DepartmentModel.tableName,
  read_by: 'attendance:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another department has this external_id',
    ja: 'この external_id はほかの部署が使っています',
  },
});
/** The manager of a department is a member. */
export const MANAGER = 'attendance_departments_manager';

refusesBy(MANAGER, () => unknownReference('/manager_member_id', { en: 'The member', ja: 'メンバー' }));
refusesBy('attendance_departments_organization_id_parent_id_fkey', () =>
  unknownReference('/parent_id', { en: 'The department', ja: '部署' }),
);
