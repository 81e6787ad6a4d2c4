import { z } from 'zod';
import type { Reader } from '../../kernel/reader.ts';
import {
  type TimelineEntry,
  type TimelinePlace,
  type TimelineSource,
  timelineItemFields,
} from '../../platform/timeline.ts';
import { latestEntries } from '../../platform/timeline-entries.ts';

const steps = ['received', 'allocated', 'released', 'refunded'] as const;

const DepositStep = z.strictObject({
  entity_type: z.literal('deposit'),
  entity_id: z.string().meta({ examples: ['dep_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  action: z.enum(['create', 'update']),
  step: z
    .enum(steps)
    .describe(
      '`received`: the deposit was recorded. `allocated`: it paid invoices, or more of them. `released`: an allocation was ' +
        'taken back. `refunded`: money was paid back.',
    ),
  yen: z
    .int()
    .describe('What the step moved; of `received` what came in.')
    .meta({ examples: [12_080] }),
  allocations: z
    .array(
      z.strictObject({
        invoice_id: z.string().meta({ examples: ['inv_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
        amount: z.int().meta({ examples: [12_080] }),
      }),
    )
    .describe('What the step paid of invoices, or took back.'),
  received_on: z.string().meta({ examples: ['2026-05-31'] }),
  payer_name: z
    .string()
    .nullable()
    .describe('As it is now.')
    .meta({ examples: ['ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ'] }),
});

/**
 * In the timelines of companies: when money of theirs was recorded, what it paid, and what was taken or paid back, for those
 * who may read deposits.
 */
export const depositTimeline: TimelineSource = {
  scope: 'invoicing:read',
  of: ['crm_companies'],
  item: z.strictObject({ type: z.literal('deposit'), ...timelineItemFields, data: DepositStep }),
  items: depositItems,
};

type Allocation = { id: string; invoice_id: string; amount: number };

type Row = {
  id: string;
  deposit_id: string;
  received_on: string;
  payer_name: string | null;
  amount: number;
  action: 'create' | 'update';
  actor_type: TimelineEntry['actor']['type'];
  actor_id: string;
  allocated: [number | null, number] | null;
  allocations: [Allocation[] | null, Allocation[]] | null;
  refunds: [{ amount: number }[] | null, { amount: number }[]] | null;
  created_at: string;
};

async function depositItems(
  reader: Reader,
  { id }: { id: string },
  window: { limit: number } & TimelinePlace,
): Promise<TimelineEntry[]> {
  return (await latestEntries<Row>(reader, stepsOfDeposits, id, window)).map(itemOf);
}

const stepsOfDeposits = {
  table: 'invoicing_deposits',
  column: 'company_id',
  aliases: 'crm_aliases',
  record: 'record.id AS deposit_id, record.received_on, record.payer_name, record.amount',
  entry: `action, actor_type, actor_id, changes->'allocated' AS allocated,
          changes->'allocations' AS allocations, changes->'refunds' AS refunds, created_at`,
  condition: `(action = 'create' OR changes->'allocated' IS NOT NULL OR changes->'refunds' IS NOT NULL)`,
} as const;

function itemOf(row: Row): TimelineEntry {
  const { id, deposit_id, action, received_on, payer_name, created_at } = row;
  return {
    type: 'deposit',
    id,
    occurred_at: created_at,
    actor: { type: row.actor_type, id: row.actor_id },
    data: {
      entity_type: 'deposit',
      entity_id: deposit_id,
      action,
      ...stepOf(row),
      allocations: allocationsOf(row),
      received_on,
      payer_name,
    },
  };
}

/** The allocations that one side of a change alone has; deposits of an earlier release were made with some. */
function allocationsOf({ allocations }: Row): { invoice_id: string; amount: number }[] {
  const [before, after] = [allocations?.[0] ?? [], allocations?.[1] ?? []];
  const without = (all: readonly Allocation[], others: readonly Allocation[]) => {
    const known = new Set(others.map(({ id }) => id));
    return all.filter(({ id }) => !known.has(id));
  };
  return [...without(after, before), ...without(before, after)].map(({ invoice_id, amount }) => ({
    invoice_id,
    amount,
  }));
}

/** What an entry of the audit log did with the money. */
function stepOf({ action, amount, allocated, refunds }: Row): { step: (typeof steps)[number]; yen: number } {
  if (action === 'create') return { step: 'received', yen: amount };
  if (allocated) {
    const more = allocated[1] - (allocated[0] ?? 0);
    return more > 0 ? { step: 'allocated', yen: more } : { step: 'released', yen: -more };
  }
  const [before, after] = (refunds ?? [[], []]).map(sumOf);
  return { step: 'refunded', yen: after! - before! };
}

function sumOf(refunds: readonly { amount: number }[] | null): number {
  return (refunds ?? []).reduce((sum, { amount }) => sum + amount, 0);
}
