import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { measures, standings } from '../../shared/domains.ts';
import { DAY } from '../../shared/kernel/days.ts';
import { installationState } from '../../shared/platform/installation/installation.ts';
import { lostMailsSince } from '../../shared/platform/mailer/troubled.ts';
import { databaseState } from '../../shared/platform/operators/database-state.ts';
import { latestErrors } from '../../shared/platform/operators/latest-errors.ts';
import { readMeasures } from '../../shared/platform/operators/measure.ts';
import { queueActivity } from '../../shared/platform/operators/queue-activity.ts';
import { queuePauses } from '../../shared/platform/operators/queue-pauses.ts';
import { retriesByTime } from '../../shared/platform/operators/retries.ts';
import { scheduleStates } from '../../shared/platform/operators/schedules.ts';
import { readStandings } from '../../shared/platform/operators/standing.ts';
import { recentTroubles } from '../../shared/platform/operators/trouble.ts';
import { processesAtWork } from '../../shared/platform/operators/worker-processes.ts';
import { queueNumbers } from '../../shared/platform/outbox/numbers.ts';
import type { ApiContext } from '../context.ts';
import type { Board } from './board/engine.ts';

const LATEST = 8;

/** Of what stands still. */
const OLDEST = 5;

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Everything that the page shows, read on one connection. */
export async function readOverview(context: ApiContext, board: Board) {
  const { database, settings, surroundings, release, now: clock } = context;
  const now = clock();
  const engine_trouble = await board.trouble();
  const { open, idle, waiting } = database.use();
  const read = await database.withConnection(EVERY_ORGANIZATION, async (connection) => {
    const [
      queues,
      pauses,
      activity,
      processes,
      schedules,
      server,
      lost_mails,
      errors,
      retries,
      installation,
      measured,
      stood,
    ] = await Promise.all([
      queueNumbers(connection, now),
      queuePauses(connection),
      queueActivity(connection, now),
      processesAtWork(connection, now),
      scheduleStates(connection, now),
      databaseState(connection),
      lostMailsSince(connection, new Date(now.getTime() - DAY)),
      latestErrors(connection, LATEST),
      retriesByTime(connection, LATEST),
      installationState(connection),
      readMeasures(connection, measures),
      readStandings(connection, standings, { now, most: OLDEST }),
    ]);
    const { is_undecided } = installation;
    return {
      queues,
      pauses,
      activity,
      processes,
      schedules,
      database: server,
      lost_mails,
      errors,
      retries,
      is_undecided,
      measured,
      stood,
    };
  });
  const found = await surroundings.latest();
  const pool = { open, used: open - idle, most: settings.poolSize };
  return {
    ...read,
    now,
    engine_trouble,
    engine: board.engine,
    pool,
    waiting_for_connection: waiting,
    troubles: recentTroubles(now),
    surroundings: found,
    release,
    is_embedded: settings.embeddedDatabase,
  };
}
