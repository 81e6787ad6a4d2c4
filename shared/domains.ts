import { accounting } from './accounting/domain.ts';
import { attendance } from './attendance/domain.ts';
import { cloud } from './cloud/domain.ts';
import { crm } from './crm/domain.ts';
import { forms } from './forms/domain.ts';
import { invoicing } from './invoicing/domain.ts';
import type { EventType } from './kernel/fact.ts';
import type { FailureCode } from './kernel/failures.ts';
import type { Job } from './kernel/job.ts';
import { type Domain as DomainName, type Grant, roleGrantsFor, scopesOfDomains } from './kernel/scope.ts';
import type { FailureKind, Words } from './kernel/vocabulary.ts';
import { kernelWords } from './kernel/words.ts';
import { mail } from './mail/domain.ts';
import type { PeopleFollowers } from './platform/access/followers.ts';
import type { Bookkeeping } from './platform/bookkeeping.ts';
import { platformJobs } from './platform/declared-jobs.ts';
import type { Domain } from './platform/domain.ts';
import type { EventRights } from './platform/events/queries.ts';
import type { SourceOfDomain } from './platform/evidence/source.ts';
import type { FileSource } from './platform/file-sources/source.ts';
import { fileMeasures } from './platform/intake/measures.ts';
import type { Measure } from './platform/operators/measure.ts';
import type { Standing } from './platform/operators/standing.ts';
import type { Reference } from './platform/references.ts';
import { platformWords } from './platform/words.ts';
import { received } from './received/domain.ts';
import { scheduler } from './scheduler/domain.ts';
import { sign } from './sign/domain.ts';

/** Every domain, once, in the order of the reference. What is built on all of them walks over this list. */
export const domains: readonly Domain[] = [
  crm,
  mail,
  attendance,
  scheduler,
  invoicing,
  received,
  accounting,
  cloud,
  sign,
  forms,
];

/** Every column that refers to companies or contacts, in the order in which operations lock the rows. */
export const references: readonly Reference[] = domains.flatMap((each) => each.references ?? []);

/** What domains do when people join, leave or are invited. */
export const peopleFollowers: PeopleFollowers = domains.flatMap(({ people }) => people ?? []);

/** What keeps the books of the domains below: their operations call it in their transactions. */
export const bookkeeping: Bookkeeping = domains.flatMap((each) => each.bookkeeping ?? [])[0]!;

/** Every domain's kinds of record whose files are evidence. */
export const evidenceSources: readonly SourceOfDomain[] = domains.flatMap(({ name, evidence }) =>
  evidence ? [{ ...evidence, domain: name }] : [],
);

/** What operators see of kept files and of each domain, as numbers of the whole installation. */
export const measures: readonly Measure[] = [
  ...fileMeasures,
  ...domains.flatMap((each) => each.measures ?? []),
];

/** What of each domain may stand still until somebody mends something. */
export const standings: readonly Standing[] = domains.flatMap(({ standing }) => standing ?? []);

/** Every kind of record with a file that others may copy, by its type. */
export const fileSources: ReadonlyMap<string, FileSource> = new Map(
  domains.flatMap(({ file_sources = [] }) => file_sources).map((source) => [source.type, source]),
);

/** Every scope that can be granted, `*` (all of them) aside. */
export const scopes: readonly Exclude<Grant, '*'>[] = scopesOfDomains(domains);

/** The scopes that each role gives. */
export const roleGrants = roleGrantsFor(domains);

/** All words by their owner. */
export const wordsByOwner: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['kernel', kernelWords],
  ['platform', platformWords],
  ...domains.map(({ name, words }) => [name, words] as const),
]);

/**
 * Every error code of the service, once. The HTTP answers, the OpenAPI text and the page /docs/errors are made from this
 * table.
 */
export const failures = Object.fromEntries(
  [...wordsByOwner.values()].flatMap((words) => Object.entries(words.failures)),
) as Readonly<Record<FailureCode, FailureKind>>;

/** The code as callers see it: two failures of different status may share one. */
export function shownCode(code: FailureCode): string {
  return failures[code].code ?? code;
}

/** The types of all events, each with the domain whose `:read` it asks for, beside `events:read`. */
export const eventDomains: ReadonlyMap<EventType, DomainName> = new Map(
  domains.flatMap(({ name, words }) => words.events.map((type) => [type as EventType, name] as const)),
);

/** What each reader may know of events. */
export const eventRights: EventRights = {
  domains: eventDomains,
  sights: new Map(
    domains.flatMap(({ name, event_sight }) => (event_sight ? [[name, event_sight] as const] : [])),
  ),
};

/** Every job that something asks for. */
export const jobs: readonly Job[] = [...platformJobs, ...domains.flatMap((each) => each.jobs ?? [])];
