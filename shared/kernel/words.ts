import { kernelFailures } from './failures.ts';
import { kernelScopes } from './scope.ts';
import { words } from './vocabulary.ts';

/** The words that the kernel itself writes and answers. It knows none of a domain. */
export const kernelWords = words({
  prefixes: { event: 'evt', audit_log: 'aud', delivery: 'dlv' },
  failures: kernelFailures,
  events: [],
  scopes: kernelScopes,
});

declare module './vocabulary.ts' {
  interface Vocabulary {
    kernel: typeof kernelWords;
  }
}
