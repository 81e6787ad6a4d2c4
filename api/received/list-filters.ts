import { z } from 'zod';
import { booleanParameter, day, id, integerParameter } from '../../shared/kernel/schema.ts';
import { kinds, type ReceivedKind, receivedKinds } from '../../shared/received/documents/kinds.ts';
import { manyOf } from '../http/look-ups.ts';

/** No total has more digits. */
const MOST_YEN = 999_999_999_999;

const yen = (about: string) =>
  integerParameter(-MOST_YEN, MOST_YEN)
    .describe(about)
    .meta({ examples: [110_000] })
    .optional();

/** What the lists of every kind are filtered by. Days and amounts are compared as they stand on the documents, both ends included. */
const common = {
  company_id: id('comp').optional(),
  search: z
    .string()
    .max(200)
    .describe('Part of the number, the subject, the name of the sender or its registration number.')
    .meta({ examples: ['2026-04'] })
    .optional(),
  issue_date_from: day().optional(),
  issue_date_to: day().optional(),
  due_date_from: day().optional(),
  due_date_to: day().optional(),
  transaction_date_from: day().describe('Of a period its last day counts.').optional(),
  transaction_date_to: day().optional(),
  total_min: yen('The least total in yen.'),
  total_max: yen('The largest total in yen.'),
  has_file: booleanParameter().optional(),
  incomplete: booleanParameter().describe('Whether something is `missing`.').optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Of one of its files, in hexadecimal.')
    .meta({ examples: ['5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef'] })
    .optional(),
};

const ofInvoices = {
  paid_from: day().describe('The day on which the last of the money left.').optional(),
  paid_to: day().optional(),
  unpaid: booleanParameter().describe('Whether it is approved and has a balance.').optional(),
  overdue: booleanParameter().describe('Whether it is unpaid and its due date has passed.').optional(),
  qualified: booleanParameter().optional(),
  has_journal: booleanParameter()
    .describe('Whether the books have an entry of it that was not taken back.')
    .optional(),
};

function status(of: readonly string[]) {
  return manyOf(z.enum(of as [string, ...string[]]))
    .describe('One of them, or several with commas between.')
    .optional();
}

/** The filters of the list of a kind. */
export function listFilters(kind: ReceivedKind) {
  return z.object({
    status: status(kinds[kind].statuses),
    ...common,
    ...((kind === 'invoice' ? ofInvoices : {}) as typeof ofInvoices),
  });
}

/** The statuses of all kinds. */
export const anyStatuses: readonly string[] = [
  ...new Set(receivedKinds.flatMap((kind): string[] => [...kinds[kind].statuses])),
];

/** The filters of the list of all kinds. */
export const anyKindFilters = z.object({
  kind: z.enum(receivedKinds).optional(),
  status: status(anyStatuses),
  partner: z
    .string()
    .max(200)
    .describe('Part of the name of the sender, as it is written or as its company is called.')
    .meta({ examples: ['山田'] })
    .optional(),
  ...common,
});
