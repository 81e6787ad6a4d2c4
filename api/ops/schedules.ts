import type Router from '@koa/router';
import { html } from 'ghtml';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { domains } from '../../shared/domains.ts';
import {
  bringForward,
  isFailing,
  isOverdue,
  isRetired,
  nextRun,
  type ScheduleState,
  scheduleStates,
} from '../../shared/platform/operators/schedules.ts';
import { sweepsOf } from '../../shared/platform/sweeps/sweeps.ts';
import type { ApiContext } from '../context.ts';
import { fieldOf, queryOf } from './form.ts';
import { ago, count, duration, runTime } from './format.ts';
import { goTo, sendPage } from './page.ts';
import { badge, type Html, nothing, section, table } from './parts.ts';

/** Milliseconds between two runs from which on somebody may not want to wait for the next. */
const LONG = 60_000;

/** The schedules: when each ran last and runs next, how long it took, why it failed; one can be run at once. */
export function schedulePages(
  router: Router,
  { database, storage, scanner, settings, log, now }: ApiContext,
): void {
  const sweeps = sweepsOf(domains, { storage, scanner, data_dir: settings.dataDir });
  const descriptions = new Map(sweeps.map(({ name, description }) => [name, description]));
  router.get('/ops/schedules', async (context) => {
    const at = now();
    const states = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      scheduleStates(connection, at),
    );
    const list =
      states.length === 0
        ? nothing('None has run yet: they begin with the first worker.')
        : listOf(states, descriptions, at);
    const name = fieldOf(queryOf(context), 'asked');
    const told =
      name === undefined
        ? ''
        : html`<p role="status" class="told">${name} runs as soon as a worker looks.</p>`;
    const words = html`<p class="quiet">Each runs once however many workers there are. What a missed run has not done, the next one does.</p>`;
    const body = html`!${told}!${words}!${section('Runs', html`<div data-live="schedules">!${list}</div>`)}`;
    sendPage(context, { title: 'Schedules', body, aside: '<span data-live-control></span>', live: true });
  });

  router.post('/ops/schedules/:name/run', async (context) => {
    const { name = '' } = context.params;
    const changed = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      bringForward(connection, name, now()),
    );
    if (!changed) return goTo(context, '/ops/schedules');
    log.warn({ schedule: name, request_id: context.state.request_id }, 'An operator started a schedule');
    goTo(context, `/ops/schedules?${new URLSearchParams({ asked: name })}`);
  });
}

function listOf(
  states: readonly ScheduleState[],
  descriptions: ReadonlyMap<string, string>,
  now: Date,
): Html {
  const rows = states.map((state) => [
    html`${state.name} <span class="under">${descriptions.get(state.name) ?? ''}</span>`,
    stateOf(state, now),
    html`!${ago(state.started_at, now)} <span class="under">took ${lastTook(state)}</span>`,
    html`!${nextOf(state, now)} !${everyOf(state)}`,
    state.last_count === null ? '–' : count(Number(state.last_count)),
    state.last_error === null
      ? '–'
      : html`${state.last_error} <span class="under">!${ago(state.failed_at, now)}</span>`,
    runForm(state, now),
  ]);
  return table({
    caption: 'Schedules',
    columns: [
      { label: 'Schedule', kind: 'term' },
      { label: 'State' },
      { label: 'Last run' },
      { label: 'Next run' },
      { label: 'Dealt with', kind: 'number' },
      { label: 'Last error', kind: 'wide' },
      { label: 'Run now', kind: 'act' },
    ],
    rows,
  });
}

function runForm(state: ScheduleState, now: Date): Html {
  const { name, every_milliseconds, is_running } = state;
  if (is_running || isRetired(state, now) || (every_milliseconds ?? 0) < LONG) return '';
  return html`<form method="post" action="/ops/schedules/${name}/run"><button class="small">Run now<span class="unseen"> ${name}</span></button></form>`;
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

function everyOf({ every_milliseconds }: ScheduleState): Html {
  return every_milliseconds === null
    ? ''
    : html`<span class="under">every ${duration(every_milliseconds / 1000)}</span>`;
}

function nextOf(state: ScheduleState, now: Date): Html {
  const next = nextRun(state);
  if (next === null) return '–';
  return next <= now ? 'now' : ago(next.toISOString(), now);
}
