import { type DomainName, domainOf, type Grant } from '../../kernel/scope.ts';

const forAskers = new Set<string>();

/** Says of a domain that its jobs, and their files, are for who asked for them and for owners and admins alone. */
export function jobsAreForAskers(domain: string): void {
  forAskers.add(domain);
}

/** The scope whose holders see a job besides the one who asks: `*`, which owners and admins have, where its domain says so. */
export function scopeOfJob(kind: DomainName, scope: Grant): Grant {
  return forAskers.has(domainOf(kind)) ? '*' : scope;
}
