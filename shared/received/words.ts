import { words } from '../kernel/vocabulary.ts';

/** The words of received documents. Words are never renamed: callers store them. */
export const receivedWords = words({
  prefixes: {
    received_invoice: 'rinv',
  },
  failures: {},
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    received: typeof receivedWords;
  }
}
