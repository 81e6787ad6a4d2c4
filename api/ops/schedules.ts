import type Router from '@koa/router';
import { html } from 'ghtml';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { domains } from '../../shared/domains.ts';
import type { Text } from '../../shared/kernel/language.ts';
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
import { goTo, places, sendPage, speechOf } from './page.ts';
import { badge, type Html, nothing, section, table, told } from './parts.ts';
import { reasonIn } from './reasons.ts';
import { count, type Speech } from './speech.ts';

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
    const speech = speechOf(context, now());
    const { say } = speech;
    const states = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      scheduleStates(connection, speech.now),
    );
    const none = {
      en: 'None has run yet: they begin with the first worker.',
      ja: 'まだ実行されていません。最初のワーカーとともに始まります。',
    };
    const list = states.length === 0 ? nothing(speech, none) : listOf(speech, states, descriptions);
    const name = fieldOf(queryOf(context), 'asked');
    const asked =
      name === undefined
        ? ''
        : told(
            say({
              en: `${name} runs as soon as a worker looks.`,
              ja: `${name} は、ワーカーが確認しだい実行されます。`,
            }),
          );
    const words = say({
      en: 'Each runs once however many workers there are. What a missed run has not done, the next one does.',
      ja: 'ワーカーが何台あっても1回だけ実行されます。実行されなかった分は、次の回が行います。',
    });
    const title = { en: 'Runs', ja: '実行状況' };
    const body = html`!${asked}<p class="quiet">${words}</p>!${section(speech, title, html`<div data-live="schedules">!${list}</div>`)}`;
    sendPage(context, { title: say(places.schedules.label), body, live: true });
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
  speech: Speech,
  states: readonly ScheduleState[],
  descriptions: ReadonlyMap<string, Text>,
): Html {
  const { say, ago } = speech;
  const rows = states.map((state) => {
    const description = descriptions.get(state.name);
    const took = say({ en: `took ${lastTook(speech, state)}`, ja: `所要 ${lastTook(speech, state)}` });
    return [
      html`${state.name} <span class="under">${description ? say(description) : ''}</span>`,
      stateOf(speech, state),
      html`!${ago(state.started_at)} <span class="under">${took}</span>`,
      html`!${nextOf(speech, state)} !${everyOf(speech, state)}`,
      state.last_count === null ? '–' : count(Number(state.last_count)),
      state.last_error === null
        ? '–'
        : html`!${reasonIn(speech, state.last_error)} <span class="under">!${ago(state.failed_at)}</span>`,
      runForm(speech, state),
    ];
  });
  return table(speech, {
    caption: places.schedules.label,
    columns: [
      { label: { en: 'Schedule', ja: '定期処理' }, kind: 'term' },
      { label: { en: 'State', ja: '状態' } },
      { label: { en: 'Last run', ja: '前回の実行' } },
      { label: { en: 'Next run', ja: '次回の実行' } },
      { label: { en: 'Dealt with', ja: '処理件数' }, kind: 'number' },
      { label: { en: 'Last error', ja: '最後のエラー' }, kind: 'wide' },
      { label: RUN_NOW, kind: 'act' },
    ],
    rows,
  });
}

const RUN_NOW: Text = { en: 'Run now', ja: '今すぐ実行' };

function runForm({ say, now }: Speech, state: ScheduleState): Html {
  const { name, every_milliseconds, is_running } = state;
  if (is_running || isRetired(state, now) || (every_milliseconds ?? 0) < LONG) return '';
  return html`<form method="post" action="/ops/schedules/${name}/run"><button class="small">${say(RUN_NOW)}<span class="unseen"> ${name}</span></button></form>`;
}

function stateOf({ say, now }: Speech, state: ScheduleState): Html {
  if (isRetired(state, now)) return badge(say({ en: 'Retired', ja: '廃止' }), 'calm');
  if (isOverdue(state, now)) return badge(say({ en: 'Overdue', ja: '遅延' }), 'bad');
  if (isFailing(state)) return badge(say({ en: 'Fails', ja: '失敗' }), 'bad');
  return state.is_running
    ? badge(say({ en: 'Running', ja: '実行中' }), 'calm')
    : badge(say({ en: 'Good', ja: '正常' }), 'good');
}

/** Of the last run that ended. */
function lastTook({ runTime }: Speech, { started_at, finished_at }: ScheduleState): string {
  if (finished_at === null || finished_at < started_at) return '–';
  return runTime(Date.parse(finished_at) - Date.parse(started_at));
}

function everyOf({ say, duration }: Speech, { every_milliseconds }: ScheduleState): Html {
  if (every_milliseconds === null) return '';
  const every = duration(every_milliseconds / 1000);
  return html`<span class="under">${say({ en: `every ${every}`, ja: `${every}ごと` })}</span>`;
}

function nextOf({ say, ago, now }: Speech, state: ScheduleState): Html {
  const next = nextRun(state);
  if (next === null) return '–';
  return next <= now ? say({ en: 'now', ja: '今すぐ' }) : ago(next.toISOString());
}
