import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { type Metadata, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { id } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';
import type { CalendarEvent } from '../calendar-events/record.ts';
import { seesOwn } from '../members/owner.ts';
import { instantInput } from '../range.ts';

const fields = {
  start: instantInput(),
  end: instantInput()
    .describe('After `start`; not within.')
    .meta({ examples: ['2026-04-01T01:30:00.000Z'] }),
  title: name(200)
    .nullable()
    .meta({ examples: ['外出'] }),
};

const sent = z.strictObject({ ...fields, ...ownKeysInput }).partial();

/** What a new block is made from. */
export const BlockInput = sent
  .extend({ user_id: id('usr').describe('Whose it is: the acting member unless said.').optional() })
  .required({ start: true, end: true })
  .meta({ id: 'SchedulerBlockInput' });

export type BlockInput = z.output<typeof BlockInput>;

export const BlockPatch = sent.meta({ id: 'SchedulerBlockPatch' });

export type BlockPatch = z.output<typeof BlockPatch>;

/** Time that a member is not to be booked in, as it is kept. */
export type BlockRow = {
  id: string;
  user_id: string;
  start: string;
  end: string;
  title: string | null;
  external_id: string | null;
  metadata: Metadata;
  created_at: string;
  updated_at: string;
};

export const blockColumns = [
  'id',
  'user_id',
  'start',
  'end',
  'title',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof BlockRow)[];

/** A block as the API shows it, and its own facts. */
export type Block = CalendarEvent & BlockRow;

/** A row as the API shows it. */
export function blockOf({ id: block_id, user_id, start, end, title, ...kept }: BlockRow): Block {
  return {
    id: block_id,
    object: 'scheduler.calendar_event',
    kind: 'block',
    user_id,
    start,
    end,
    all_day: false,
    title,
    booking_id: null,
    proposal_id: null,
    connection_id: null,
    ...kept,
  };
}

export class BlockModel extends TenantModel {
  static override tableName = 'scheduler_blocks';
  static override jsonAttributes = ['metadata'];
}

/** What blocks are looked up by. */
export const blockKind = recordKind({ table: BlockModel.tableName, prefix: 'cevt' });

export const blockFacts = factsOf({
  domain: 'scheduler',
  entity_type: 'block',
  computed: ['kind', 'all_day', 'booking_id', 'proposal_id', 'connection_id'],
});

uniqueKey('scheduler_blocks_external_id_once', {
  table: BlockModel.tableName,
  read_by: 'scheduler:read',
  sees: seesOwn(BlockModel.tableName),
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another block has this external_id',
    ja: 'この external_id はほかの予定ブロックが使っています',
  },
});
