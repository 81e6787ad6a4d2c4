import { continueBatches } from '../batches/orphans.ts';
import type { Domain } from '../domain.ts';
import { continueExports } from '../exports/orphans.ts';
import { continueImports, orphanedImports } from '../imports/orphans.ts';
import { orphanedJobs } from '../jobs/orphans.ts';
import { orphanedMails } from '../mailer/orphans.ts';
import { purposesOf } from '../mailer/purposes.ts';
import type { Orphans } from './orphans.ts';

/**
 * Every kind of row that waits for work. Jobs come before what is left by them: what they continue has a delivery
 * then.
 */
export function orphanKindsOf(domains: readonly Domain[]): Orphans[] {
  const ofDomains = domains.map(({ orphans = {} }) => orphans);
  return [
    orphanedMails(purposesOf(domains)),
    orphanedJobs(
      ofDomains.flatMap(({ waits }) => waits ?? []),
      [
        continueImports,
        continueExports,
        continueBatches,
        ...ofDomains.flatMap(({ continues = [] }) => continues),
      ],
    ),
    orphanedImports(domains.flatMap(({ imports = [] }) => imports)),
    ...ofDomains.flatMap(({ rows = [] }) => rows),
  ];
}
