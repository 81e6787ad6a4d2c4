import { booleanParameter } from '../../shared/kernel/schema.ts';
import { documentEndpoints } from './documents.ts';
import { quotationCalls } from './quotation-calls.ts';

const { documents, others } = documentEndpoints('quotation', {
  expired: booleanParameter().describe('Whether it was sent and its validity has passed.').optional(),
});

export const quotations = [documents, ...others, ...quotationCalls];
