import { z } from 'zod';
import { writeDepartments } from '../../shared/attendance/departments/batch.ts';
import {
  createDepartment,
  deleteDepartment,
  updateDepartment,
} from '../../shared/attendance/departments/operations.ts';
import { departmentById, departmentPage } from '../../shared/attendance/departments/queries.ts';
import {
  Department,
  DepartmentInput,
  DepartmentItem,
  DepartmentPatch,
  departmentKind,
} from '../../shared/attendance/departments/record.ts';
import { references } from '../../shared/domains.ts';
import { id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { FIELDS_SENT, resource } from '../http/resource.ts';
import { deleted } from '../http/schemas.ts';
import { batchOf, SETTINGS } from './org.ts';

const PATH = '/api/v1/attendance/org/departments';

const department = resource({
  id: 'attendance.departments',
  path: PATH,
  domain: 'attendance',
  one: 'a department',
  prefix: 'dept',
});

const DepartmentReply = z.strictObject({ department: Department });

export const departments = [
  list({
    ...department.list,
    summary: 'List departments',
    description:
      'The tree as rows, each with its parent: `sort=sort_order` puts them in the order of the organization.',
    item: Department,
    looked_up: departmentKind,
    filters: z.object({
      parent_id: id('dept').describe('Only those directly below this one.').optional(),
    }),
    sorts: ['name', 'sort_order'],
    handle: ({ filters, window }, reader) => departmentPage(reader, filters, window),
  }),
  read({
    ...department.get,
    description: '`member_count` counts who is directly in it.',
    reply: DepartmentReply,
    handle: async ({ params }, reader) => ({ department: await departmentById(reader, params.id) }),
  }),
  write({
    ...department.create,
    ...SETTINGS,
    description:
      'Below `parent_id`, or at the top. Whoever `manager_member_id` names sees its people and all below, with the role manager.',
    body: DepartmentInput,
    reply: DepartmentReply,
    raises: ['already_exists', 'unknown_reference', 'cycle'],
    handle: async ({ body }, work) => ({ department: await createDepartment(work, body) }),
  }),
  write({
    ...batchOf(DepartmentItem, Department),
    id: 'attendance.departments.batch',
    path: `${PATH}/batch`,
    ...SETTINGS,
    summary: 'Create and change departments',
    description:
      'By code: those that are there are changed, the others made, all or none. A parent may stand in the same batch, before or behind.',
    raises: ['cycle'],
    handle: ({ body }, work) => writeDepartments(work, body.items),
  }),
  write({
    ...department.update,
    ...SETTINGS,
    description: `${FIELDS_SENT} \`parent_id\` moves it with all below it.`,
    body: DepartmentPatch,
    reply: DepartmentReply,
    raises: ['already_exists', 'unknown_reference', 'cycle'],
    handle: async ({ params, body }, work) => ({
      department: await updateDepartment(work, params.id, body),
    }),
  }),
  write({
    ...department.delete,
    ...SETTINGS,
    description:
      'One with members or departments below it is 409 `in_use`, unless `move_members_to` says where its members go: then the departments below it go to its parent. One that records of other domains name stays in any case; `used_by` counts them.',
    query: z.strictObject({
      move_members_to: id('dept').describe('The department that gets its members.').optional(),
    }),
    raises: ['in_use'],
    handle: async ({ params, query }, work) => {
      await deleteDepartment(work, params.id, query.move_members_to, references);
      return deleted;
    },
  }),
];
