import type { Work } from '../kernel/work.ts';
import type { JobResource } from '../platform/jobs/record.ts';

/** Whose records a change concerns, and from which day on. */
export type Concerned = {
  /** null: all members. */
  member_ids: readonly string[] | null;
  /** The first day that may come out differently; null: every day of an open period. */
  from: string | null;
};

/**
 * Asks for the records of open periods to be computed again after a change of settings, schedules, terms, rosters or
 * holidays. Answers the job that does it; null where nothing is left to do, as long as no figures are kept.
 */
export async function recalculate(_work: Work, _concerned: Concerned): Promise<JobResource | null> {
  return null;
}
