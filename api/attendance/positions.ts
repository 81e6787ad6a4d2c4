import { z } from 'zod';
import {
  createPosition,
  deletePosition,
  updatePosition,
  writePositions,
} from '../../shared/attendance/positions/operations.ts';
import { positionById, positionPage } from '../../shared/attendance/positions/queries.ts';
import {
  Position,
  PositionInput,
  PositionItem,
  PositionPatch,
  positionKind,
} from '../../shared/attendance/positions/record.ts';
import { id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { FIELDS_SENT, resource } from '../http/resource.ts';
import { deleted } from '../http/schemas.ts';
import { batchOf, SETTINGS } from './org.ts';

const PATH = '/api/v1/attendance/org/positions';

const position = resource({
  id: 'attendance.positions',
  path: PATH,
  domain: 'attendance',
  one: 'a position',
  prefix: 'posn',
});

const PositionReply = z.strictObject({ position: Position });

export const positions = [
  list({
    ...position.list,
    summary: 'List positions',
    description: '`sort=sort_order` puts them in the order of the organization.',
    item: Position,
    looked_up: positionKind,
    sorts: ['name', 'sort_order'],
    handle: ({ filters, window }, reader) => positionPage(reader, filters, window),
  }),
  read({
    ...position.get,
    description: '`member_count` counts who has it.',
    reply: PositionReply,
    handle: async ({ params }, reader) => ({ position: await positionById(reader, params.id) }),
  }),
  write({
    ...position.create,
    ...SETTINGS,
    description: 'What people are, beside the department that they are in.',
    body: PositionInput,
    reply: PositionReply,
    raises: ['already_exists'],
    handle: async ({ body }, work) => ({ position: createPosition(work, body) }),
  }),
  write({
    ...batchOf(PositionItem, Position),
    id: 'attendance.positions.batch',
    path: `${PATH}/batch`,
    ...SETTINGS,
    summary: 'Create and change positions',
    description: 'By code: those that are there are changed, the others made, all or none.',
    handle: ({ body }, work) => writePositions(work, body.items),
  }),
  write({
    ...position.update,
    ...SETTINGS,
    description: `${FIELDS_SENT} Its members keep it.`,
    body: PositionPatch,
    reply: PositionReply,
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => ({ position: await updatePosition(work, params.id, body) }),
  }),
  write({
    ...position.delete,
    ...SETTINGS,
    description: 'One that members have is 409 `in_use`, unless `move_members_to` says which one they get.',
    query: z.strictObject({
      move_members_to: id('posn').describe('The position that its members get.').optional(),
    }),
    raises: ['in_use'],
    handle: async ({ params, query }, work) => {
      await deletePosition(work, params.id, query.move_members_to);
      return deleted;
    },
  }),
];
