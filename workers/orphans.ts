import { waitingJobs } from '../shared/invoicing/emails/waiting.ts';
import { continueDrafts, continuePrints, orphanedPrints } from '../shared/invoicing/pdf/orphans.ts';
import { continueExports } from '../shared/platform/exports/orphans.ts';
import { continueImports, orphanedImports } from '../shared/platform/imports/orphans.ts';
import { orphanedJobs } from '../shared/platform/jobs/orphans.ts';
import { orphanedMails } from '../shared/platform/mailer/orphans.ts';
import type { Orphans } from '../shared/platform/outbox/orphans.ts';
import { importDomains } from './imports/domains.ts';

/** Every kind of row that waits for work. Jobs come before what is left by them: what they continue has a delivery then. */
export const orphanKinds: readonly Orphans[] = [
  orphanedMails,
  orphanedJobs(waitingJobs, [continueImports, continueExports, continuePrints, continueDrafts]),
  orphanedImports(importDomains),
  orphanedPrints,
];
