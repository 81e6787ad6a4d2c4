import type { BounceClass } from './classify.ts';

/**
 * Where a report says whom it is about, the first that proves right counts. All of it is a claim: `tokens` are what stands after
 * the `+` in addresses, `message_ids` have their angle brackets.
 */
export type Traces = { tokens: readonly string[]; message_ids: readonly string[] };

/** What a bounce tells beside its class. */
export type BounceReport = { class: BounceClass; status: string | null; diagnostic: string | null };

/**
 * What came of bytes that arrived, before anybody knows whether the traces are right. `mail`: no report; it unsubscribes where
 * its address has a token for that. `confirmation`: a notification service asks us to open an address.
 */
export type InboundEvent =
  | { kind: 'bounce'; traces: Traces; bounce: BounceReport }
  | { kind: 'complaint'; traces: Traces }
  | { kind: 'mail'; traces: Traces }
  | { kind: 'auto_reply'; traces: Traces }
  | { kind: 'confirmation'; url: string }
  | { kind: 'ignored' };

export const IGNORED: InboundEvent = { kind: 'ignored' };

/** Characters that are kept of a diagnostic text. */
const MOST_DIAGNOSTIC = 1_000;

/** A diagnostic text as it is kept: one line, not too long, nothing that a database refuses; null for an empty one. */
export function diagnosticOf(text: string | null | undefined): string | null {
  const line = (text ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what other servers write has them.
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    .trim()
    .toWellFormed();
  return line === '' ? null : [...line.slice(0, MOST_DIAGNOSTIC)].join('').toWellFormed();
}
