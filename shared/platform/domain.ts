import type { Domain as DomainWord } from '../kernel/scope.ts';

type Text = { title: string; description: string };

/**
 * A domain as a value: all that the platform, the API and the workers need to know of it. It loads nothing heavy, so
 * that the API can read it; what runs jobs is declared in workers/.
 */
export type Domain = Text & {
  /** The first word of its scopes, its endpoints' IDs, its jobs and its folders. */
  name: DomainWord;
  /** The resources of its API by the second word of their endpoints' IDs, in the order of the reference. */
  resources: Readonly<Record<string, Text>>;
};

/** Declares a domain. */
export function domain(declaration: Domain): Domain {
  return declaration;
}
