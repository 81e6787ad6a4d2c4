import type Router from '@koa/router';
import { html } from 'ghtml';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import {
  isFailing,
  isOverdue,
  isRetired,
  nextRun,
  type ScheduleState,
  scheduleStates,
} from '../../shared/operators/schedules.ts';
import type { ApiContext } from '../context.ts';
import { ago, count, duration, runTime } from './format.ts';
import { sendPage } from './page.ts';
import { badge, type Html, nothing, section, table } from './parts.ts';

/** The schedules: when each ran last and runs next, how long it took, and why it failed. */
export function schedulePages(router: Router, { database, now }: ApiContext): void {
  router.get('/ops/schedules', async (context) => {
    const at = now();
    const states = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      scheduleStates(connection, at),
    );
    const list =
      states.length === 0
        ? nothing('None has run yet: they begin with the first worker.')
        : listOf(states, at);
    const words = html`<p class="quiet">Each runs once however many workers there are. What a missed run has not done, the next one does.</p>`;
    const body = html`!${words}!${section('Schedules', html`<div data-live="schedules">!${list}</div>`)}`;
    sendPage(context, { title: 'Schedules', body, aside: '<span data-live-control></span>', live: true });
  });
}

function listOf(states: readonly ScheduleState[], now: Date): Html {
  const rows = states.map((state) => [
    html`${state.name}`,
    stateOf(state, now),
    state.every_milliseconds === null ? '–' : html`${duration(state.every_milliseconds / 1000)}`,
    ago(state.started_at, now),
    lastTook(state),
    state.last_count === null ? '–' : count(Number(state.last_count)),
    nextOf(state, now),
    state.last_error === null
      ? '–'
      : html`${state.last_error} <span class="under">!${ago(state.failed_at, now)}</span>`,
  ]);
  return table({
    caption: 'Schedules',
    columns: [
      { label: 'Schedule' },
      { label: 'State' },
      { label: 'Every', kind: 'number' },
      { label: 'Last run' },
      { label: 'Took', kind: 'number' },
      { label: 'Dealt with', kind: 'number' },
      { label: 'Next run' },
      { label: 'Last error', kind: 'wide' },
    ],
    rows,
  });
}

function stateOf(state: ScheduleState, now: Date): Html {
  if (isRetired(state, now)) return badge('Retired', 'calm');
  if (isOverdue(state, now)) return badge('Overdue', 'bad');
  if (isFailing(state)) return badge('Fails', 'bad');
  return state.is_running ? badge('Running', 'calm') : badge('Good', 'good');
}

/** Of the last run that ended. */
function lastTook({ started_at, finished_at }: ScheduleState): string {
  if (finished_at === null || finished_at < started_at) return '–';
  return runTime(Date.parse(finished_at) - Date.parse(started_at));
}

function nextOf(state: ScheduleState, now: Date): Html {
  const next = nextRun(state);
  if (next === null) return '–';
  return next <= now ? 'now' : ago(next.toISOString(), now);
}
