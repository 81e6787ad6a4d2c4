import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { DAY } from '../../kernel/days.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { blankBookings } from './bookings.ts';
import { blankProposals } from './proposals.ts';

/** Organizations that one look finds. */
const LOOK = 100;

type Keeping = { organization_id: string; retention_days: number };

/**
 * Blanks what bookings and proposals say about guests so many days after their end as the settings of their organization say,
 * with what repeats it: events, kept answers, errors of mails, files of exports. Answers of how many organizations something was
 * blanked. Safe to run twice: what is blank is found no more.
 */
export function blankGuests(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  return eachDue(
    {
      look: (after: Keeping | undefined) => organizationsThatBlank(database, after),
      size: LOOK,
      signal,
      fault: 'organizations could not blank the data of guests',
    },
    async ({ organization_id, retention_days }) => {
      const before = new Date(now.getTime() - retention_days * DAY);
      const inOrganization = <T>(run: (work: Work) => Promise<T>) =>
        database.withConnection(organization_id, (connection) =>
          inWork(
            { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
            run,
            { may_change_nothing: true },
          ),
        );
      let blanked = 0;
      for (const blank of [blankBookings, blankProposals]) {
        for (let count = 1; count > 0 && !signal.aborted; ) {
          count = await inOrganization((work) => blank(work, before));
          blanked += count;
        }
      }
      return blanked > 0;
    },
  );
}

function organizationsThatBlank(database: Database, after: Keeping | undefined): Promise<Keeping[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Keeping>(
      `SELECT organization_id, retention_days FROM scheduler_settings
        WHERE retention_days IS NOT NULL AND organization_id > $1 ORDER BY organization_id LIMIT ${LOOK}`,
      [after?.organization_id ?? ''],
    ),
  );
}
