import { z } from 'zod';
import { ageingBuckets } from '../../shared/invoicing/documents/due.ts';
import { booleanParameter, day } from '../../shared/kernel/schema.ts';
import { documentEndpoints } from './documents.ts';
import { invoiceCalls } from './invoice-calls.ts';

const { documents, others } = documentEndpoints('invoice', {
  outstanding: booleanParameter()
    .describe('Whether it is issued and something is still to be paid.')
    .optional(),
  overdue: booleanParameter().describe('Whether it is outstanding after its due date.').optional(),
  due_soon: booleanParameter().describe('Whether it is outstanding and due within a week.').optional(),
  ageing: z.enum(ageingBuckets).describe('Outstanding, and so many days overdue.').optional(),
  approved_from: day().describe("In the settings' time zone.").optional(),
  approved_to: day().describe("In the settings' time zone.").optional(),
});

export const invoices = [documents, ...others, ...invoiceCalls];
