import { html } from 'ghtml';
import type { Context } from 'koa';
import { failureOf } from '../../shared/db/constraint.ts';
import { failures } from '../../shared/domains.ts';
import type { Failure } from '../../shared/kernel/failure.ts';
import type { Text } from '../../shared/kernel/language.ts';
import type { ApiContext } from '../context.ts';
import { logFault } from '../http/log-fault.ts';
import { sendPage, speechOf } from './page.ts';
import { type Html, section } from './parts.ts';
import type { Speech } from './speech.ts';

/**
 * A person at a browser gets a page that says what cannot be shown as asked, and that the database is away; programs get
 * the problem itself.
 */
export async function readable(
  { database, log, now }: ApiContext,
  context: Context,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (context.accepts('json', 'html') !== 'html') throw error;
    const failure = failureOf(error);
    logFault(log, context.state.request_id, failure, now());
    context.set(failure.details.headers ?? {});
    const speech = speechOf(context, now());
    const silence = database.silence();
    if (failure.code === 'unavailable' && silence !== null) sendOutage(context, silence, speech);
    else sendFailure(context, failure, speech);
  }
}

const BACK: Text = { en: 'Back to the overview', ja: '概要へ戻る' };

/** Where a path leads nowhere; the sentences of the failure itself are for programs. */
const NO_PAGE = {
  status: 404,
  title: { en: 'There is no such page', ja: 'ページが見つかりません' },
  help: { en: 'Check the address.', ja: 'アドレスが正しいかご確認ください。' },
};

function back({ say }: Speech): Html {
  return html`<p><a href="/ops">${say(BACK)}</a></p>`;
}

function sendFailure(context: Context, { code }: Failure, speech: Speech): void {
  const { say } = speech;
  const { title, status, help } = code === 'no_such_endpoint' ? NO_PAGE : failures[code];
  const { request_id } = context.state;
  const id =
    status >= 500
      ? html`<p>${say({ en: 'In the log it is', ja: 'ログでのID：' })} <code>${request_id}</code></p>`
      : '';
  const wait = { en: 'Try again in a moment.', ja: 'しばらくしてからもう一度お試しください。' };
  const words = say(code === 'unavailable' ? wait : help);
  sendPage(context, { title: say(title), body: html`<p>${words}</p>!${id}!${back(speech)}`, status });
}

/** `silence` in milliseconds. */
function sendOutage(context: Context, silence: number, speech: Speech): void {
  const { say } = speech;
  const hasAsked = ['GET', 'HEAD'].includes(context.method);
  const long = speech.duration(silence / 1000);
  const since = say({
    en: `This process has had no answer for ${long}.`,
    ja: `このプロセスには${long}間、応答がありません。`,
  });
  const meanwhile = say({
    en: 'Requests are answered with 503 meanwhile, and jobs wait. What was committed is safe; all goes on by itself as soon as the database is back.',
    ja: 'その間、要求には503で応答し、ジョブは待機します。確定したデータは失われません。データベースが復旧すると、すべて自動で再開します。',
  });
  const again = say({
    en: 'This page looks again by itself where scripts run.',
    ja: 'スクリプトが動く場合、このページは自動で確認し直します。',
  });
  const now = say({ en: 'Look again now', ja: '今すぐ確認する' });
  const unknown = say({
    en: 'Whether your change was made is not known: look before you do it again.',
    ja: '変更が行われたかどうかは分かりません。もう一度行う前に確認してください。',
  });
  const next = hasAsked
    ? html`<p>${again} <a href="${context.path}${context.search}">${now}</a></p>`
    : html`<p>${unknown}</p>!${back(speech)}`;
  const body = html`<p data-live="since">${since}</p>
<p>${meanwhile}</p>
!${section(speech, { en: 'What to do', ja: '対応' }, remedy(speech))}
!${next}`;
  const title = say({ en: 'The database does not answer', ja: 'データベースが応答しません' });
  sendPage(context, { title, body, live: hasAsked && 'until answered', status: 503 });
}

function remedy({ say }: Speech): Html {
  const ask = say({ en: 'Ask the server itself:', ja: 'サーバーの状態を確認します：' });
  const read = say({
    en: 'Read the reason in the log of the API, beside "code":"unavailable", then PostgreSQL’s own log.',
    ja: 'APIのログの "code":"unavailable" の理由と、PostgreSQLのログを確認します。',
  });
  const go = say({
    en: 'Go on with docs/operations.md, under DatabaseNearLimit.',
    ja: 'docs/operations.md の DatabaseNearLimit の項を参照してください。',
  });
  return html`<ol>
<li>${ask} <code>pg_isready --dbname "$DATABASE_URL"</code></li>
<li>${read}</li>
<li>${go}</li>
</ol>`;
}
