import { z } from 'zod';
import type { Reader } from '../kernel/reader.ts';
import { timestamp } from '../kernel/schema.ts';
import type { Scope } from '../kernel/scope.ts';

/** The fields that all items of a timeline share; each kind of item adds its `type` and `data`. */
export const timelineItemFields = {
  id: z
    .string()
    .describe(
      'The ID of the activity or of the audit entry, or what else names the item; what starting_after takes.',
    )
    .meta({ examples: ['aud_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  occurred_at: timestamp(),
  actor: z.strictObject({
    type: z.enum(['user', 'api_key', 'guest', 'system']),
    id: z
      .string()
      .nullable()
      .meta({ examples: ['usr_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  }),
};

type ItemShape = typeof timelineItemFields & { type: z.ZodLiteral<string>; data: z.ZodType };

/** An item of a timeline, of whatever kind. */
export type TimelineEntry = z.output<z.ZodObject<ItemShape>>;

/** What a domain adds to the timeline of records that its rows refer to. */
export type TimelineSource = {
  /** Readers without this scope do not see its items. */
  scope: Scope;
  /** The tables of the records in whose timelines it has items: `crm_companies`. */
  of: readonly string[];
  /** An item as the API shows it; its `type` is a literal. */
  item: z.ZodObject<ItemShape, z.core.$strict>;
  /** The latest `limit` items of a record that stand after a place, the latest first. */
  items(
    reader: Reader,
    record: { table: string; id: string },
    window: { limit: number } & TimelinePlace,
  ): Promise<TimelineEntry[]>;
  /** When the item happened that a cursor names; null where it is gone, undefined where the cursor is none of this source. Absent: its
   * items are audit entries. */
  timeOf?(reader: Reader, cursor: string): Promise<string | null> | undefined;
};

/** A place in a timeline: items of one instant stand by ID, the greatest first. */
export type TimelinePlace = {
  /** Items at this instant with a smaller ID follow, and all before it. */
  occurred_at: string;
  id: string;
  /** The audit entries that follow are before this one. */
  audit_id: string;
};
