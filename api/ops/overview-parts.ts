import { html } from 'ghtml';
import { jobs as declaredJobs } from '../../shared/domains.ts';
import type { LatestError } from '../../shared/platform/operators/latest-errors.ts';
import { isAlive, type WorkerProcess } from '../../shared/platform/operators/worker-processes.ts';
import type { QueueNumbers } from '../../shared/platform/outbox/numbers.ts';
import type { Attention } from './attention.ts';
import { ago, bytes, count, duration, percent } from './format.ts';
import { badge, bars, type Figure, facts, figures, type Html, nothing, section, table } from './parts.ts';
import type { Overview } from './read-overview.ts';

/** What wants an operator, or that nothing does. */
export function attentionList(attention: readonly Attention[]): Html {
  const items = attention.map(
    ({ tone, title, sentence, path }) =>
      html`<li class="${tone}"><strong><a href="${path}">${title}</a></strong><span>${sentence}</span></li>`,
  );
  if (items.length === 0)
    items.push(
      '<li class="good"><strong>All is well</strong><span>Nothing needs your attention.</span></li>',
    );
  return html`<ul class="alerts" aria-label="What needs your attention">!${items}</ul>`;
}

/** The few numbers that are looked at first. */
export function tiles({ queues, activity, processes, lost_mails, database, pool, now }: Overview): Html {
  const sum = (field: 'waiting' | 'in_flight' | 'failed') =>
    queues.reduce((total, queue) => total + queue[field], 0);
  const alive = processes.filter((process) => isAlive(process, now));
  const lag = Math.max(0, ...queues.map(({ lag_seconds }) => lag_seconds ?? 0));
  const done = [...activity.values()].reduce((total, each) => total + each.done, 0);
  const running = alive.reduce((total, process) => total + process.running.length, 0);
  const used = database.connections / database.max_connections;
  const shown: Figure[] = [
    {
      name: 'Workers alive',
      figure: count(alive.length),
      note: running === 1 ? '1 job in hand' : `${count(running)} jobs in hand`,
      tone: alive.length > 0 ? 'good' : 'bad',
      path: '#workers',
    },
    {
      name: 'Jobs waiting',
      figure: count(sum('waiting') + sum('in_flight')),
      note: `${count(sum('in_flight'))} handed over`,
      tone: 'good',
      path: '/ops/jobs?state=due',
    },
    {
      name: 'Outbox lag',
      figure: duration(lag),
      note: 'the oldest due job',
      tone: lag > 60 ? 'bad' : lag > 10 ? 'warn' : 'good',
    },
    { name: 'Done', figure: count(done), note: 'in the last hour', tone: 'good' },
    {
      name: 'Given up',
      figure: count(sum('failed')),
      note: 'to retry or discard',
      tone: sum('failed') > 0 ? 'warn' : 'good',
      path: '/ops/jobs',
    },
    {
      name: 'Mails in trouble',
      figure: count(lost_mails),
      note: 'in 24 hours',
      tone: lost_mails > 0 ? 'warn' : 'good',
      path: '/ops/mails',
    },
    {
      name: 'Connections',
      figure: count(database.connections),
      note: `of ${count(database.max_connections)}; this pool ${pool.used} of ${pool.most}`,
      tone: used > 0.95 ? 'bad' : used > 0.8 ? 'warn' : 'good',
      path: '#database',
    },
  ];
  return figures(shown);
}

/** Every queue with its depth, its age and its last hour. */
export function queuesPanel({
  queues,
  pauses,
  activity,
  processes,
  engine,
  engine_trouble,
  now,
}: Overview): Html {
  const is_stuck = engine_trouble !== null;
  const rows = queues.filter(isShown).map((numbers) => {
    const { queue, waiting, later, in_flight, failed, oldest_seconds, done_per_minute } = numbers;
    const { done = 0, again = 0, given_up = 0, minutes = [] } = activity.get(queue) ?? {};
    const failures = again + given_up;
    const jobs = (state: string, number: number) =>
      number === 0 ? '0' : html`<a href="/ops/jobs?state=${state}&queue=${queue}">${count(number)}</a>`;
    return [
      html`<a href="/ops/queues/${queue}">${queue}</a>`,
      stateOf(numbers, {
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
      bars(minutes.length > 0 ? minutes : new Array(60).fill(0), `${count(done)} done in the last hour`),
    ];
  });
  const body = table({
    caption: 'The queues, how many jobs each holds and what it has done in the last hour',
    columns: [
      { label: 'Queue', kind: 'term' },
      { label: 'State' },
      { label: 'Due', kind: 'number' },
      { label: 'Later', kind: 'number' },
      { label: 'Handed over', kind: 'number' },
      { label: 'Given up', kind: 'number' },
      { label: 'Oldest', kind: 'number' },
      { label: 'Done a minute', kind: 'number' },
      { label: 'Failed in 1 h', kind: 'number' },
      { label: 'Last hour', kind: 'chart' },
    ],
    rows,
  });
  const name = engine === 'redis' ? 'Redis' : 'PostgreSQL';
  return section(
    'Queues',
    body,
    html`<span class="quiet">BullMQ on ${name} · <a href="/ops/board">queue board</a></span>`,
  );
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
  { queue, waiting, later, in_flight, lag_seconds }: QueueNumbers,
  { is_paused, is_served, is_stuck }: { is_paused: boolean; is_served: boolean; is_stuck: boolean },
): Html {
  if (is_paused) return badge('Paused', 'warn');
  if (isWithoutJobs(queue) && waiting + in_flight === 0) return badge('No jobs yet', 'calm');
  if (!is_served) return badge('No worker', waiting + in_flight > 0 ? 'bad' : 'calm');
  if ((lag_seconds ?? 0) > 60) return badge('Stalled', 'bad');
  if (waiting - later + in_flight === 0) return badge('Idle', 'calm');
  return is_stuck ? badge('Stuck', 'bad') : badge('Moving', 'good');
}

/** A process by its name, where it runs and its number. */
export function processName({ name, host, pid }: WorkerProcess): Html {
  return name === null
    ? html`${host} <span class="quiet">${pid}</span>`
    : html`${name} <span class="quiet">${host} ${pid}</span>`;
}

/** The processes of workers and what each has in hand. */
export function workersPanel({ processes, now }: Overview): Html {
  const rows = processes.map((process) => {
    const { queues, running, memory_bytes, started_at, beat_at } = process;
    const oldest = running.toSorted((left, right) => left.since.localeCompare(right.since))[0];
    const others = running.length > 1 ? ` and ${running.length - 1} more` : '';
    return [
      processName(process),
      isAlive(process, now) ? badge('Alive', 'good') : badge('Silent', 'bad'),
      html`${queues.join(', ')}`,
      oldest
        ? html`<a href="/ops/jobs/${oldest.organization_id}/${oldest.delivery_id}">${oldest.job}</a> <span class="quiet">begun !${ago(oldest.since, now)}${others}</span>`
        : '–',
      bytes(Number(memory_bytes)),
      ago(started_at, now),
      ago(beat_at, now),
    ];
  });
  const body =
    rows.length === 0
      ? nothing('No process of workers has told of itself.')
      : table({
          caption: 'Processes of workers',
          columns: [
            { label: 'Process', kind: 'term' },
            { label: 'State' },
            { label: 'Queues' },
            { label: 'In hand' },
            { label: 'Memory', kind: 'number' },
            { label: 'Started' },
            { label: 'Last heard' },
          ],
          rows,
        });
  return section('Workers', body);
}

/** The database server and this process's pool. */
export function databasePanel({ database, pool, waiting_for_connection, is_embedded }: Overview): Html {
  const { version, size_bytes, connections, active_connections, max_connections } = database;
  const { longest_transaction_seconds, longest_transaction_by, cache_hits, up_seconds } = database;
  const body = facts({
    Version: html`PostgreSQL ${version}${is_embedded ? ', embedded' : ''}, up ${duration(Number(up_seconds))}`,
    Size: bytes(Number(size_bytes)),
    Connections: html`${count(connections)} of ${count(max_connections)}, ${count(active_connections)} active`,
    'Pool of this process': html`${pool.used} of ${pool.most} in use, ${waiting_for_connection} waiting`,
    'Longest transaction':
      longest_transaction_seconds === null
        ? 'none is open'
        : html`${duration(longest_transaction_seconds)} <span class="quiet">${longest_transaction_by ?? ''}</span>`,
    'Read from its cache': cache_hits === null ? '–' : percent(cache_hits),
  });
  return section('Database', body);
}

/** What this process runs, and what it depends on besides the database. */
export function releasePanel({ release, surroundings }: Overview): Html {
  const { clock_difference, storage, scanner } = surroundings;
  const shown: Record<string, Html> = {
    Version: html`${release.version}`,
    Commit: release.commit === null ? html`unknown` : html`<code>${release.commit.slice(0, 12)}</code>`,
    'File storage': html`${storage ?? 'answers'}`,
  };
  if (scanner !== undefined) shown['Scanner'] = html`${scanner ?? 'answers'}`;
  shown['Clock'] =
    clock_difference === null
      ? html`–`
      : html`${(clock_difference / 1000).toFixed(1)} s ahead of the database’s`;
  return section('This process', facts(shown));
}

/** Jobs whose last try failed: when each is tried next, and why it failed. */
export function retriesPanel({ retries, now }: Overview): Html {
  if (retries.length === 0) return section('Tried again', nothing('No job waits for another try.'));
  const rows = retries.map(({ organization_id, id, name, attempts, due_at, error }) => [
    html`<a href="/ops/jobs/${organization_id}/${id}">${name}</a>`,
    count(attempts),
    due_at === null ? 'now' : ago(due_at, now),
    html`${error}`,
  ]);
  const columns = [
    { label: 'What', kind: 'term' },
    { label: 'Failed tries', kind: 'number' },
    { label: 'Next try' },
    { label: 'Reason', kind: 'wide' },
  ] as const;
  return section('Tried again', table({ caption: 'Jobs that failed and are tried again', columns, rows }));
}

const KINDS = { job: 'Job given up', mail: 'Mail', schedule: 'Schedule' } as const;

/** The newest of what went wrong, each with the way to it. */
export function errorsPanel({ errors, now }: Overview): Html {
  if (errors.length === 0) return section('Latest errors', nothing('Nothing was given up.'));
  const rows = errors.map((error) => [
    html`<a href="${pathOf(error)}">${error.name}</a>`,
    html`${KINDS[error.kind]}`,
    ago(error.at, now),
    html`${error.error ?? '–'}`,
  ]);
  const columns = [
    { label: 'What', kind: 'term' },
    { label: 'Kind' },
    { label: 'When' },
    { label: 'Reason', kind: 'wide' },
  ] as const;
  return section('Latest errors', table({ caption: 'What went wrong lately', columns, rows }));
}

function pathOf({ kind, organization_id, id }: LatestError): string {
  if (kind === 'job') return `/ops/jobs/${organization_id}/${id}`;
  if (kind === 'mail') return `/ops/mails/${organization_id}/${id}`;
  return '/ops/schedules';
}
