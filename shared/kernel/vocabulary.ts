import type { Text } from './language.ts';

/** What a code of the table of failures means. `code` is what callers see where two failures share one. */
export type FailureKind = { status: number; code?: string; title: Text; help: Text };

/** The words that one owner adds: every word belongs to exactly one. */
export type Words = {
  /** By kind of record, the prefix of its public IDs. */
  prefixes: Readonly<Record<string, string>>;
  /** By code, what can go wrong. */
  failures: Readonly<Record<string, FailureKind>>;
  /** The types of the events that the owner emits. */
  events: readonly string[];
  /** Scopes beside `<domain>:read` and `<domain>:write`. */
  scopes?: readonly string[];
  /** Queues of jobs by their names. */
  queues?: Readonly<Record<string, unknown>>;
};

/** Declares words; the owner adds their type to `Vocabulary` in the same file. */
export function words<const Declared extends Words>(declared: Declared): Declared {
  return declared;
}

/**
 * The types of all words by their owner: the kernel, the platform and each domain. Owners add themselves by declaration
 * merging, which leaves nothing at run time; the values are merged in shared/domains.ts.
 */
// biome-ignore lint/suspicious/noEmptyInterface: declaration merging fills it.
export interface Vocabulary {}
