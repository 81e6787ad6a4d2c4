import { html } from 'ghtml';
import type { Text } from '../../shared/kernel/language.ts';
import type { LatestError } from '../../shared/platform/operators/latest-errors.ts';
import { isAlive } from '../../shared/platform/operators/worker-processes.ts';
import { whatMail } from './mail/words.ts';
import { processName } from './overview-parts.ts';
import { badge, type Fact, facts, type Html, nothing, section, table } from './parts.ts';
import type { Overview } from './read-overview.ts';
import { reasonIn } from './reasons.ts';
import { bytes, count, percent, type Speech } from './speech.ts';

/** The processes of workers and what each has in hand. */
export function workersPanel(speech: Speech, { processes, now }: Overview): Html {
  const { say, ago } = speech;
  const title = { en: 'Workers', ja: 'ワーカー' };
  if (processes.length === 0) {
    const none = {
      en: 'No process of workers has told of itself.',
      ja: 'ワーカーのプロセスからの連絡がありません。',
    };
    return section(speech, title, nothing(speech, none));
  }
  const rows = processes.map((process) => {
    const { queues, running, memory_bytes, started_at, beat_at } = process;
    const oldest = running.toSorted((left, right) => left.since.localeCompare(right.since))[0];
    const more = running.length - 1;
    const others = more > 0 ? say({ en: ` and ${more} more`, ja: `、ほか${more}件` }) : '';
    const begun = say({ en: 'begun', ja: '開始' });
    return [
      processName(process),
      isAlive(process, now)
        ? badge(say({ en: 'Alive', ja: '稼働中' }), 'good')
        : badge(say({ en: 'Silent', ja: '応答なし' }), 'bad'),
      html`${queues.join(', ')}`,
      oldest
        ? html`<a href="/ops/jobs/${oldest.organization_id}/${oldest.delivery_id}">${oldest.job}</a> <span class="quiet">${begun} !${ago(oldest.since)}${others}</span>`
        : '–',
      bytes(Number(memory_bytes)),
      ago(started_at),
      ago(beat_at),
    ];
  });
  const body = table(speech, {
    caption: { en: 'Processes of workers', ja: 'ワーカーのプロセス' },
    columns: [
      { label: { en: 'Process', ja: 'プロセス' }, kind: 'term' },
      { label: { en: 'State', ja: '状態' } },
      { label: { en: 'Queues', ja: 'キュー' } },
      { label: { en: 'In hand', ja: '処理中' } },
      { label: { en: 'Memory', ja: 'メモリ' }, kind: 'number' },
      { label: { en: 'Started', ja: '起動' } },
      { label: { en: 'Last heard', ja: '最後の連絡' } },
    ],
    rows,
  });
  return section(speech, title, body);
}

/** The database server and this process's pool. */
export function databasePanel(
  speech: Speech,
  { database, pool, waiting_for_connection, is_embedded }: Overview,
): Html {
  const { say, duration } = speech;
  const { version, size_bytes, connections, active_connections, max_connections } = database;
  const { longest_transaction_seconds, longest_transaction_by, cache_hits, up_seconds } = database;
  const up = duration(Number(up_seconds));
  const used = [count(connections), count(max_connections), count(active_connections)] as const;
  const body = facts(speech, [
    [
      { en: 'Version', ja: 'バージョン' },
      html`PostgreSQL ${version}${is_embedded ? say({ en: ', embedded', ja: '（内蔵）' }) : ''}${say({ en: `, up ${up}`, ja: `、稼働 ${up}` })}`,
    ],
    [{ en: 'Size', ja: '容量' }, bytes(Number(size_bytes))],
    [
      { en: 'Connections', ja: '接続' },
      html`${say({ en: `${used[0]} of ${used[1]}, ${used[2]} active`, ja: `${used[0]}/${used[1]}、実行中 ${used[2]}` })}`,
    ],
    [
      { en: 'Pool of this process', ja: 'このプロセスのプール' },
      html`${say({
        en: `${pool.used} of ${pool.most} in use, ${waiting_for_connection} waiting`,
        ja: `${pool.used}/${pool.most} 使用中、待ち ${waiting_for_connection}`,
      })}`,
    ],
    [
      { en: 'Longest transaction', ja: '最長のトランザクション' },
      longest_transaction_seconds === null
        ? say({ en: 'none is open', ja: 'なし' })
        : html`${duration(longest_transaction_seconds)} <span class="quiet">${longest_transaction_by ?? ''}</span>`,
    ],
    [
      { en: 'Read from its cache', ja: 'キャッシュからの読み取り' },
      cache_hits === null ? '–' : percent(cache_hits),
    ],
  ]);
  return section(speech, { en: 'Database', ja: 'データベース' }, body);
}

/** What this process runs, and what it depends on besides the database. */
export function releasePanel(speech: Speech, { release, surroundings }: Overview): Html {
  const { say } = speech;
  const { clock_difference, storage, scanner } = surroundings;
  const answers = say({ en: 'answers', ja: '正常' });
  const ahead = clock_difference === null ? null : (clock_difference / 1000).toFixed(1);
  const shown: Fact[] = [
    [{ en: 'Version', ja: 'バージョン' }, html`${release.version}`],
    [
      { en: 'Commit', ja: 'コミット' },
      release.commit === null
        ? say({ en: 'unknown', ja: '不明' })
        : html`<code>${release.commit.slice(0, 12)}</code>`,
    ],
    [{ en: 'File storage', ja: 'ファイルの保存先' }, html`${storage ?? answers}`],
    scanner === undefined ? null : [{ en: 'Scanner', ja: 'マルウェア検査' }, html`${scanner ?? answers}`],
    [
      { en: 'Clock', ja: '時計' },
      ahead === null
        ? '–'
        : html`${say({ en: `${ahead} s ahead of the database’s`, ja: `データベースより${ahead}秒進み` })}`,
    ],
  ];
  return section(speech, { en: 'This process', ja: 'このプロセス' }, facts(speech, shown));
}

/** Jobs whose last try failed: when each is tried next, and why it failed. */
export function retriesPanel(speech: Speech, { retries }: Overview): Html {
  const { say, ago } = speech;
  const title = { en: 'Tried again', ja: '再試行' };
  if (retries.length === 0) {
    const none = { en: 'No job waits for another try.', ja: '再試行を待つジョブはありません。' };
    return section(speech, title, nothing(speech, none));
  }
  const rows = retries.map(({ organization_id, id, name, attempts, due_at, error }) => [
    html`<a href="/ops/jobs/${organization_id}/${id}">${name}</a>`,
    count(attempts),
    due_at === null ? say({ en: 'now', ja: '今すぐ' }) : ago(due_at),
    html`${error}`,
  ]);
  const columns = [
    { label: WHAT, kind: 'term' },
    { label: { en: 'Failed tries', ja: '失敗回数' }, kind: 'number' },
    { label: { en: 'Next try', ja: '次の試行' } },
    { label: REASON, kind: 'wide' },
  ] as const;
  const caption = { en: 'Jobs that failed and are tried again', ja: '失敗し、再試行されるジョブ' };
  return section(speech, title, table(speech, { caption, columns, rows }));
}

const WHAT: Text = { en: 'What', ja: '対象' };
const REASON: Text = { en: 'Reason', ja: '理由' };

const KINDS: Record<LatestError['kind'], Text> = {
  job: { en: 'Job given up', ja: '中止したジョブ' },
  mail: { en: 'Mail', ja: 'メール' },
  schedule: { en: 'Schedule', ja: '定期処理' },
};

/** The newest of what went wrong, each with the way to it. */
export function errorsPanel(speech: Speech, { errors }: Overview): Html {
  const title = { en: 'Latest errors', ja: '最近のエラー' };
  if (errors.length === 0) {
    const none = { en: 'Nothing was given up.', ja: '中止したものはありません。' };
    return section(speech, title, nothing(speech, none));
  }
  const rows = errors.map((error) => [
    html`<a href="${pathOf(error)}">${error.kind === 'mail' ? whatMail(speech, error.name) : error.name}</a>`,
    html`${speech.say(KINDS[error.kind])}`,
    speech.ago(error.at),
    reasonIn(speech, error.error),
  ]);
  const columns = [
    { label: WHAT, kind: 'term' },
    { label: { en: 'Kind', ja: '種類' } },
    { label: { en: 'When', ja: '日時' } },
    { label: REASON, kind: 'wide' },
  ] as const;
  const caption = { en: 'What went wrong lately', ja: '最近の失敗' };
  return section(speech, title, table(speech, { caption, columns, rows }));
}

function pathOf({ kind, organization_id, id }: LatestError): string {
  if (kind === 'job') return `/ops/jobs/${organization_id}/${id}`;
  if (kind === 'mail') return `/ops/mails/${organization_id}/${id}`;
  return '/ops/schedules';
}
