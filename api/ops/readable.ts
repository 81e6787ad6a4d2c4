import { html } from 'ghtml';
import type { Context } from 'koa';
import { failureOf } from '../../shared/db/constraint.ts';
import { failures } from '../../shared/domains.ts';
import type { Failure } from '../../shared/kernel/failure.ts';
import type { ApiContext } from '../context.ts';
import { logFault } from '../http/log-fault.ts';
import { duration } from './format.ts';
import { sendPage } from './page.ts';
import { type Html, section } from './parts.ts';

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
    const silence = database.silence();
    if (failure.code === 'unavailable' && silence !== null) sendOutage(context, silence);
    else sendFailure(context, failure);
  }
}

const BACK = html`<p><a href="/ops">Back to the overview</a></p>`;

function sendFailure(context: Context, { code }: Failure): void {
  const { title, status, help } = failures[code];
  const id = status >= 500 ? html`<p>In the log it is <code>${context.state.request_id}</code>.</p>` : '';
  const words = code === 'unavailable' ? 'Try again in a moment.' : help.en;
  sendPage(context, { title: title.en, body: html`<p>${words}</p>!${id}${BACK}`, status });
}

/** `silence` in milliseconds. */
function sendOutage(context: Context, silence: number): void {
  const hasAsked = ['GET', 'HEAD'].includes(context.method);
  const since = html`<p data-live="since">This process has had no answer for ${duration(silence / 1000)}.</p>`;
  const next = hasAsked
    ? html`<p>This page looks again by itself where scripts run. <a href="${context.path}${context.search}">Look again now</a></p>`
    : html`<p>Whether your change was made is not known: look before you do it again.</p>!${BACK}`;
  const body = html`!${since}
<p>Requests are answered with 503 meanwhile, and jobs wait. What was committed is safe; all goes on by itself as soon as
the database is back.</p>
!${section('What to do', REMEDY)}
!${next}`;
  const aside = hasAsked ? '<span data-live-control data-until-answered></span>' : '';
  sendPage(context, { title: 'The database does not answer', body, aside, live: hasAsked, status: 503 });
}

const REMEDY: Html = html`<ol>
<li>Ask the server itself: <code>pg_isready --dbname "$DATABASE_URL"</code></li>
<li>Read the reason in the log of the API, beside <code>"code":"unavailable"</code>, then PostgreSQL’s own log.</li>
<li>Go on with <code>docs/operations.md</code>, under <em>DatabaseNearLimit</em>.</li>
</ol>`;
