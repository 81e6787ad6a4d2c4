import { words } from '../kernel/vocabulary.ts';

/** The words of sign. Words are never renamed: callers store them. */
export const signWords = words({
  prefixes: { sign_document: 'doc', signer: 'signer', sign_field: 'sfld', sign_event: 'sevt' },
  failures: {},
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    sign: typeof signWords;
  }
}
