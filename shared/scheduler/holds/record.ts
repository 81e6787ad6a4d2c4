import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { timestamp } from '../../kernel/schema.ts';
import type { AssignmentReason } from '../bookings/record.ts';
import { instantInput } from '../range.ts';

/** What a guest asks to be held. */
export const HoldInput = z
  .strictObject({
    start: instantInput().meta({ examples: ['2026-12-01T01:00:00.000Z'] }),
    duration_minutes: z
      .int()
      .min(1)
      .max(1_440)
      .describe('A length that the event type offers; its first one unless said.')
      .meta({ examples: [30] })
      .optional(),
  })
  .meta({ id: 'SchedulerHoldInput' });

export type HoldInput = z.output<typeof HoldInput>;

/** A start that is held for a guest. */
export const Hold = z
  .strictObject({
    start: timestamp(),
    expires_at: timestamp()
      .describe('From then on others can book it.')
      .meta({
        examples: ['2026-11-26T00:05:00.000Z'],
      }),
  })
  .meta({ id: 'SchedulerHold' });

export type Hold = z.output<typeof Hold>;

/** A hold as it is kept, until it is used up or over. */
export type HoldRow = {
  id: string;
  event_type_id: string;
  start: string;
  end: string;
  user_ids: string[];
  assignment_reason: AssignmentReason | null;
  /** Tells clients apart without keeping their addresses. */
  client_address_hash: string;
  expires_at: string;
  created_at: string;
};

export class HoldModel extends TenantModel {
  static override tableName = 'scheduler_holds';
  static override jsonAttributes = ['user_ids', 'assignment_reason'];
}
