import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, id, text, timestamp } from '../../kernel/schema.ts';
import { RoleName } from '../../platform/access/members/record.ts';
import { accountEmail, name } from '../../platform/access/names.ts';
import { attendanceDay } from '../dates.ts';
import { PresentTerms } from '../terms/record.ts';

export const memberStatuses = ['invited', 'active', 'left'] as const;

/** What the organization calls somebody by in its lists. */
export function employeeCode() {
  return text(50).meta({ examples: ['E-0012'] });
}

const fields = {
  name: name(100).meta({ examples: ['山田 花子'] }),
  email: accountEmail()
    .nullable()
    .describe('Unique in the organization. An invitation of this address leads to this member.'),
  employee_code: employeeCode().nullable().describe('Unique in the organization.'),
  department_id: id('dept').nullable(),
  position_id: id('posn').nullable(),
  hired_on: attendanceDay().nullable().describe('null: no statutory leave is granted.'),
  left_on: attendanceDay()
    .nullable()
    .describe('The last day. The membership ends after it.')
    .meta({ examples: [null] }),
  slack_user_id: text(50)
    .nullable()
    .meta({ examples: ['U012AB3CD'] }),
};

/** A person whose days are recorded, as the API shows one. */
export const AttendanceMember = z
  .strictObject({
    id: id('mem'),
    object: z.literal('attendance.member'),
    user_id: id('usr').nullable().describe('The account; null: none yet.'),
    ...fields,
    role: computed(RoleName.nullable()).describe('That of the membership; null without one.'),
    status: z
      .enum(memberStatuses)
      .describe('`invited`: by an invitation that is open. `left`: the person has left.')
      .meta({ examples: ['active'] }),
    terms: computed(PresentTerms).describe('Those that hold today.'),
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'AttendanceMember' });

export type AttendanceMember = z.output<typeof AttendanceMember>;

/** A member as those see one who may not read their days. */
export const Colleague = z
  .strictObject({
    id: id('mem'),
    object: z.literal('attendance.member'),
    name: fields.name,
    department_id: fields.department_id,
  })
  .meta({ id: 'AttendanceColleague' });

export type Colleague = z.output<typeof Colleague>;

const sent = z.strictObject({ ...fields, ...ownKeysInput }).partial();

export const MemberInput = sent.required({ name: true }).meta({ id: 'AttendanceMemberInput' });

export type MemberInput = z.output<typeof MemberInput>;

export const MemberPatch = sent.meta({ id: 'AttendanceMemberPatch' });

export type MemberPatch = z.output<typeof MemberPatch>;

export class MemberModel extends TenantModel {
  static override tableName = 'attendance_members';
  static override jsonAttributes = ['metadata'];
}

/** What members are looked up by. */
export const memberKind = recordKind({
  table: MemberModel.tableName,
  prefix: 'mem',
  keys: { email: { schema: accountEmail() }, employee_code: { schema: employeeCode() } },
});

export const memberFacts = factsOf({
  domain: 'attendance',
  entity_type: 'member',
  computed: computedIn(AttendanceMember),
});

/** The unique index that decides who has an address. */
export const EMAIL_ONCE = 'attendance_members_email_once';

uniqueKey(EMAIL_ONCE, {
  table: MemberModel.tableName,
  read_by: 'attendance:read',
  columns: ['email'],
  path: '/email',
  message: { en: 'Another member has this address', ja: 'このメールアドレスはほかのメンバーが使っています' },
});
uniqueKey('attendance_members_employee_code_once', {
  table: MemberModel.tableName,
  read_by: 'attendance:read',
  columns: ['employee_code'],
  path: '/employee_code',
  message: { en: 'Another member has this employee_code', ja: 'この社員番号はほかのメンバーが使っています' },
});
uniqueKey('attendance_members_external_id_once', {
  table: MemberModel.tableName,
  read_by: 'attendance:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another member has this external_id',
    ja: 'この external_id はほかのメンバーが使っています',
  },
});
refusesBy('attendance_members_organization_id_department_id_fkey', () =>
  unknownReference('/department_id', { en: 'The department', ja: '部署' }),
);
refusesBy('attendance_members_organization_id_position_id_fkey', () =>
  unknownReference('/position_id', { en: 'The position', ja: '役職' }),
);
