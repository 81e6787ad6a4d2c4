import { words } from '../kernel/vocabulary.ts';

/** The words of received documents. Words are never renamed: callers store them. */
export const receivedWords = words({
  prefixes: {
    received_invoice: 'rinv',
    received_quotation: 'rquo',
    received_purchase_order: 'rpo',
    received_delivery_note: 'rdn',
    received_file: 'rfile',
    received_payment: 'rpay',
  },
  failures: {},
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    received: typeof receivedWords;
  }
}
