import type { Logger } from 'pino';
import type { Job } from '../kernel/job.ts';
import type { Text as Spoken } from '../kernel/language.ts';
import type { Domain as DomainWord, ScopedDomain } from '../kernel/scope.ts';
import type { Sentence } from '../kernel/sentences.ts';
import type { Words } from '../kernel/vocabulary.ts';
import type { Work } from '../kernel/work.ts';
import type { PeopleFollower } from './access/followers.ts';
import type { AuditSight } from './audit/queries.ts';
import type { Batch } from './batches/batch.ts';
import type { FileSet } from './batches/file-set.ts';
import type { Bookkeeping } from './bookkeeping.ts';
import type { EventSight } from './events/record.ts';
import type { EvidenceSource } from './evidence/source.ts';
import type { Exporter } from './exports/exporter.ts';
import type { FileSource } from './file-sources/source.ts';
import type { ImportDomain } from './imports/domain.ts';
import type { VerifiedFiles } from './intake/verified-files.ts';
import type { CancelsInstead } from './jobs/operations.ts';
import type { Continues, Waits } from './jobs/orphans.ts';
import type { Purpose } from './mailer/purpose.ts';
import type { Measure } from './operators/measure.ts';
import type { Standing } from './operators/standing.ts';
import type { Orphans } from './outbox/orphans.ts';
import type { Reference } from './references.ts';
import type { Report } from './reports/report.ts';
import type { Settings } from './settings/settings.ts';
import type { Sweep } from './sweeps/sweep.ts';
import type { TimelineSource } from './timeline.ts';

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
  /** Adds the records that a new organization begins with to the transaction that creates it. */
  begin?: (work: Work) => void;
  /** What it does when people join, leave or are invited. */
  people?: PeopleFollower;
  /** The Japanese words that the names of its files begin with, and the English ones for readers of ASCII alone. */
  file_words?: Readonly<Record<string, string>>;
  /** Its lists that can be written to a file; its audit log is added by the platform. */
  exports?: readonly Exporter[];
  /** Its kinds of record that things are done to in batches. */
  batches?: readonly Batch[];
  /** Its kinds of record whose PDFs can be had together. */
  file_sets?: readonly FileSet[];
  /** Its kinds of record with a file that others may copy. */
  file_sources?: readonly FileSource[];
  /** Files that it made once, and that stay as they are. */
  verified_files?: readonly VerifiedFiles[];
  /** Its reports that can be made into files. */
  reports?: readonly Report[];
  /** Its kinds of record that can be imported. */
  imports?: readonly ImportDomain[];
  /** Why its mails may have nothing to say any more when they are about to be sent. */
  pointless_mails?: readonly Spoken[];
  /** What it says of jobs and schedules of its own that failed or wait; jobs keep the English. */
  failure_reasons?: readonly Sentence[];
  /** Its kinds of mail. */
  mails?: readonly Purpose[];
  /** Its work at intervals. */
  sweeps?: readonly Sweep[];
  /** Once in a process of the API that has started: says in the log what the settings keep it from. Never throws. */
  started?: (settings: Settings, now: Date, log: Logger) => Promise<void>;
  /** What operators see of it. */
  measures?: readonly Measure[];
  /** What of it may stand still until somebody mends something. */
  standing?: Standing;
  /** What becomes of its rows and jobs whose work was lost. */
  orphans?: OrphanedWork;
  /** What it does where somebody cancels a job of its own that may go on later. */
  cancels_job?: CancelsInstead;
  /** Every column of its tables that refers to companies or contacts, its own included. */
  references?: readonly Reference[];
  /** Of whom its events are shown to a reader; to all who read the domain where it does not say. */
  event_sight?: EventSight;
  /** How it keeps the books of other domains; one domain does. */
  bookkeeping?: Bookkeeping;
  /** Its kinds of record whose files are evidence. */
  evidence?: EvidenceSource;
  /** What it adds to the timelines of records of other domains. */
  timeline?: readonly TimelineSource[];
  /** Its ID prefixes, failure codes and event types. */
  words: Words;
  /** What the warnings of its records say; records keep them in English. */
  warnings?: readonly Sentence[];
  /** What a member may do with its records: `write` where absent, which includes reading. */
  member?: ScopedDomain['member'];
  /** What its scopes are about, in the languages of the pages. */
  records: { ja: string; en: string };
  /** The listing of its change history: `about` ends "Who changed what in ..." and "List changes of ...". */
  audit_log: { path: string; about: string; description?: string; sight?: AuditSight };
  /** Its guides in reading order, by the names of their files in docs/guides/. */
  guides?: readonly string[];
  /** The jobs that it declares. */
  jobs?: readonly Job[];
};

/** What a domain says about work that waits, or was lost. */
export type OrphanedWork = {
  /** Kinds of rows that wait for work. */
  rows?: readonly Orphans[];
  /** What enqueues lost jobs again, each for the jobs that are its own. */
  continues?: readonly Continues[];
  /** Which jobs have no delivery yet because they wait for something else. */
  waits?: Waits;
};

/** Declares a domain. */
export function domain(declaration: Domain): Domain {
  return declaration;
}
