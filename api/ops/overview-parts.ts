import { html } from 'ghtml';
import { jobs as declaredJobs } from '../../shared/domains.ts';
import { isAlive, type WorkerProcess } from '../../shared/platform/operators/worker-processes.ts';
import type { QueueNumbers } from '../../shared/platform/outbox/numbers.ts';
import type { Attention } from './attention-surroundings.ts';
import { places } from './page.ts';
import { badge, bars, type Figure, figures, type Html, section, table } from './parts.ts';
import type { Overview } from './read-overview.ts';
import { count, type Speech } from './speech.ts';

/** What wants an operator, or that nothing does. */
export function attentionList({ say }: Speech, attention: readonly Attention[]): Html {
  const items = attention.map(
    ({ tone, title, sentence, path }) =>
      html`<li class="${tone}"><strong><a href="${path}">${title}</a></strong><span>${sentence}</span></li>`,
  );
  const well = say({ en: 'All is well', ja: '正常です' });
  const none = say({ en: 'Nothing needs your attention.', ja: '対応が必要なことはありません。' });
  if (items.length === 0)
    items.push(html`<li class="good"><strong>${well}</strong><span>${none}</span></li>`);
  const label = say({ en: 'What needs your attention', ja: '対応が必要なこと' });
  return html`<ul class="alerts" aria-label="${label}">!${items}</ul>`;
}

/** The few numbers that are looked at first. */
export function tiles(
  speech: Speech,
  { queues, activity, processes, lost_mails, database, pool, now }: Overview,
): Html {
  const sum = (field: 'waiting' | 'in_flight' | 'failed') =>
    queues.reduce((total, queue) => total + queue[field], 0);
  const alive = processes.filter((process) => isAlive(process, now));
  const lag = Math.max(0, ...queues.map(({ lag_seconds }) => lag_seconds ?? 0));
  const done = [...activity.values()].reduce((total, each) => total + each.done, 0);
  const running = alive.reduce((total, process) => total + process.running.length, 0);
  const used = database.connections / database.max_connections;
  const most = count(database.max_connections);
  const shown: Figure[] = [
    {
      name: { en: 'Workers alive', ja: '稼働中のワーカー' },
      figure: count(alive.length),
      note: {
        en: running === 1 ? '1 job in hand' : `${count(running)} jobs in hand`,
        ja: `${count(running)}件のジョブを処理中`,
      },
      tone: alive.length > 0 ? 'good' : 'bad',
      path: '#workers',
    },
    {
      name: { en: 'Jobs waiting', ja: '待機中のジョブ' },
      figure: count(sum('waiting') + sum('in_flight')),
      note: {
        en: `${count(sum('in_flight'))} handed over`,
        ja: `うち${count(sum('in_flight'))}件は引き渡し済み`,
      },
      tone: 'good',
      path: '/ops/jobs?state=due',
    },
    {
      name: { en: 'Outbox lag', ja: '引き渡しの遅れ' },
      figure: speech.duration(lag),
      note: { en: 'the oldest due job', ja: '最も古い実行待ちのジョブ' },
      tone: lag > 60 ? 'bad' : lag > 10 ? 'warn' : 'good',
    },
    {
      name: { en: 'Done', ja: '完了' },
      figure: count(done),
      note: { en: 'in the last hour', ja: '直近1時間' },
      tone: 'good',
    },
    {
      name: { en: 'Given up', ja: '中止' },
      figure: count(sum('failed')),
      note: { en: 'to retry or discard', ja: '再実行または破棄が必要' },
      tone: sum('failed') > 0 ? 'warn' : 'good',
      path: '/ops/jobs',
    },
    {
      name: places.mails.label,
      figure: count(lost_mails),
      note: { en: 'in 24 hours', ja: '直近24時間' },
      tone: lost_mails > 0 ? 'warn' : 'good',
      path: '/ops/mails',
    },
    {
      name: { en: 'Connections', ja: 'データベース接続' },
      figure: count(database.connections),
      note: {
        en: `of ${most}; this pool ${pool.used} of ${pool.most}`,
        ja: `上限${most}、このプール ${pool.used}/${pool.most}`,
      },
      tone: used > 0.95 ? 'bad' : used > 0.8 ? 'warn' : 'good',
      path: '#database',
    },
  ];
  return figures(speech, shown);
}

/** Every queue with its depth, its age and its last hour. */
export function queuesPanel(
  speech: Speech,
  { queues, pauses, activity, processes, engine, engine_trouble, now }: Overview,
): Html {
  const { say, duration } = speech;
  const is_stuck = engine_trouble !== null;
  const rows = queues.filter(isShown).map((numbers) => {
    const { queue, waiting, later, in_flight, failed, oldest_seconds, done_per_minute } = numbers;
    const { done = 0, again = 0, given_up = 0, minutes = [] } = activity.get(queue) ?? {};
    const failures = again + given_up;
    const jobs = (state: string, number: number) =>
      number === 0 ? '0' : html`<a href="/ops/jobs?state=${state}&queue=${queue}">${count(number)}</a>`;
    return [
      html`<a href="/ops/queues/${queue}">${queue}</a>`,
      stateOf(speech, numbers, {
        is_paused: pauses.has(queue),
        is_served: isServed(queue, processes, now),
        is_stuck,
      }),
      jobs('due', waiting - later),
      jobs('later', later),
      jobs('running', in_flight),
      jobs('failed', failed),
      oldest_seconds === null ? '–' : duration(oldest_seconds),
      html`${done_per_minute.toFixed(done_per_minute > 0 && done_per_minute < 10 ? 1 : 0)}`,
      failures === 0 ? '0' : html`${count(failures)}`,
      bars(minutes.length > 0 ? minutes : new Array(60).fill(0), say(doneInHour(done))),
    ];
  });
  const body = table(speech, {
    caption: {
      en: 'The queues, how many jobs each holds and what it has done in the last hour',
      ja: 'キューごとのジョブの件数と、直近1時間の処理',
    },
    columns: [
      { label: { en: 'Queue', ja: 'キュー' }, kind: 'term' },
      { label: { en: 'State', ja: '状態' } },
      { label: { en: 'Due', ja: '実行待ち' }, kind: 'number' },
      { label: { en: 'Later', ja: '再試行待ち' }, kind: 'number' },
      { label: { en: 'Handed over', ja: '引き渡し済み' }, kind: 'number' },
      { label: { en: 'Given up', ja: '中止' }, kind: 'number' },
      { label: { en: 'Oldest', ja: '最も古いもの' }, kind: 'number' },
      { label: { en: 'Done a minute', ja: '毎分の完了' }, kind: 'number' },
      { label: { en: 'Failed in 1 h', ja: '1時間の失敗' }, kind: 'number' },
      { label: { en: 'Last hour', ja: '直近1時間' }, kind: 'chart' },
    ],
    rows,
  });
  const name = engine === 'redis' ? 'Redis' : 'PostgreSQL';
  const board = say({ en: 'queue board', ja: 'キューボード' });
  const aside = html`<span class="quiet">BullMQ / ${name} · <a href="/ops/board">${board}</a></span>`;
  return section(speech, { en: 'Queues', ja: 'キュー' }, body, aside);
}

/** What a queue has done, in words. */
export function doneInHour(done: number) {
  return { en: `${count(done)} done in the last hour`, ja: `直近1時間に${count(done)}件完了` };
}

/** Whether a process that is alive takes jobs of the queue. */
export function isServed(queue: string, processes: readonly WorkerProcess[], now: Date): boolean {
  return processes.some((each) => isAlive(each, now) && each.queues.includes(queue));
}

/** A queue without jobs of its own is none to look at, unless another release left something in it. */
function isShown({ queue, waiting, in_flight, failed }: QueueNumbers): boolean {
  return !isWithoutJobs(queue) || waiting + in_flight + failed > 0;
}

function isWithoutJobs(queue: string): boolean {
  return declaredJobs.every((job) => job.queue !== queue);
}

/** A queue that nobody serves, or whose engine takes no jobs (`is_stuck`), is not a problem as long as nothing waits in it. */
export function stateOf(
  { say }: Speech,
  { queue, waiting, later, in_flight, lag_seconds }: QueueNumbers,
  { is_paused, is_served, is_stuck }: { is_paused: boolean; is_served: boolean; is_stuck: boolean },
): Html {
  if (is_paused) return badge(say({ en: 'Paused', ja: '一時停止' }), 'warn');
  if (isWithoutJobs(queue) && waiting + in_flight === 0)
    return badge(say({ en: 'No jobs yet', ja: 'ジョブなし' }), 'calm');
  if (!is_served)
    return badge(say({ en: 'No worker', ja: 'ワーカーなし' }), waiting + in_flight > 0 ? 'bad' : 'calm');
  if ((lag_seconds ?? 0) > 60) return badge(say({ en: 'Stalled', ja: '停滞' }), 'bad');
  if (waiting - later + in_flight === 0) return badge(say({ en: 'Idle', ja: '待機' }), 'calm');
  return is_stuck
    ? badge(say({ en: 'Stuck', ja: '停止' }), 'bad')
    : badge(say({ en: 'Moving', ja: '処理中' }), 'good');
}

/** A process by its name, where it runs and its number. */
export function processName({ name, host, pid }: WorkerProcess): Html {
  return name === null
    ? html`${host} <span class="quiet">${pid}</span>`
    : html`${name} <span class="quiet">${host} ${pid}</span>`;
}
