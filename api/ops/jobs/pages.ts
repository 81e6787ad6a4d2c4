import type Router from '@koa/router';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { notFound } from '../../../shared/kernel/failure.ts';
import { discardDeliveries, retryDeliveries } from '../../../shared/platform/outbox/dead-letters.ts';
import {
  type Delivery,
  deliveriesGivenUp,
  deliveryById,
  deliveryIds,
  deliveryNames,
  deliveryPage,
} from '../../../shared/platform/outbox/deliveries.ts';
import type { ApiContext } from '../../context.ts';
import { MOST_CHOSEN, pageNumber, queryOf, readChosen, readForm } from '../form.ts';
import { count } from '../format.ts';
import { goTo, sendPage } from '../page.ts';
import { type Html, section, table } from '../parts.ts';
import { jobDetail, stateBadge } from './detail.ts';
import { filtersOf, jobList, PER_PAGE, queryFrom } from './list.ts';

/** Jobs that the question shows one by one. */
const NAMED = 20;

/** The deliveries of all organizations: those given up can be retried or discarded, one and many. */
export function jobPages(router: Router, { database, log, now }: ApiContext): void {
  const read = <T>(run: (connection: Connection) => Promise<T>) =>
    database.withConnection(EVERY_ORGANIZATION, run);

  router.get('/ops/jobs', async (context) => {
    const query = queryOf(context);
    const filters = filtersOf(query);
    const page = pageNumber(query);
    const at = now();
    const window = { limit: PER_PAGE, offset: (page - 1) * PER_PAGE, now: at };
    const [found, names] = await read((connection) =>
      Promise.all([deliveryPage(connection, filters, window), deliveryNames(connection)]),
    );
    const list = jobList({ filters, ...found, page, names, now: at });
    sendPage(context, { title: 'Jobs', body: html`!${whatWasDone(query)}!${list}` });
  });

  router.get('/ops/jobs/:organization_id/:id', async (context) => {
    const { organization_id = '', id = '' } = context.params;
    const at = now();
    const delivery = await read((connection) => deliveryById(connection, { organization_id, id }, at));
    if (!delivery) return sendPage(context, { title: 'No such job', body: GONE, status: 404 });
    const within = { path: `/ops/jobs?state=${delivery.state}`, label: 'Jobs' };
    const body = jobDetail(delivery, at);
    sendPage(context, { title: delivery.name, body, aside: stateBadge(delivery), within });
  });

  router.post('/ops/jobs/confirm', async (context) => {
    const form = await readForm(context);
    const [action, all] = (form.get('action') ?? '').split('_');
    if (action !== 'retry' && action !== 'discard') throw notFound();
    const filters = { ...filtersOf(form), state: 'failed' } as const;
    const chosen = all
      ? await read((connection) => deliveryIds(connection, filters, { limit: MOST_CHOSEN, now: now() }))
      : form.getAll('chosen');
    const back = `/ops/jobs?${queryFrom(filters).toString()}`;
    if (chosen.length === 0) return goTo(context, `${back}&done=none`);
    const title = `${action === 'retry' ? 'Retry' : 'Discard'} ${counted(chosen.length)}?`;
    const shown = await read((connection) => deliveriesGivenUp(connection, chosen.slice(0, NAMED)));
    const within = { path: back, label: 'Jobs' };
    sendPage(context, { title, body: confirmation(action, { chosen, shown }, back), within });
  });

  router.post('/ops/jobs/retry', (context) =>
    change(context, 'retried', (ids, request) =>
      read((connection) => retryDeliveries(connection, ids, now(), request)),
    ),
  );

  router.post('/ops/jobs/discard', (context) =>
    change(context, 'discarded', (ids, request) =>
      read((connection) => discardDeliveries(connection, ids, now(), request)),
    ),
  );

  type Request = { request_id: string; ip_address: string };

  async function change(
    context: Context,
    done: 'retried' | 'discarded',
    run: (ids: readonly string[], request: Request) => Promise<number>,
  ): Promise<void> {
    const chosen = await readChosen(context);
    const { request_id } = context.state;
    const changed = await run(chosen, { request_id, ip_address: context.ip });
    log.warn({ request_id, count: changed }, `An operator has ${done} jobs`);
    goTo(context, `/ops/jobs?state=failed&done=${done}&count=${changed}`);
  }
}

const GONE = html`<p>It is done, discarded or was never there.</p>
<p><a href="/ops/jobs">Back to the jobs</a></p>`;

const counted = (number: number) => (number === 1 ? 'this job' : `${count(number)} jobs`);

type Asked = { chosen: readonly string[]; shown: readonly Delivery[] };

function confirmation(action: 'retry' | 'discard', { chosen, shown }: Asked, back: string): Html {
  const isRetry = action === 'retry';
  const words = isRetry
    ? 'Each is tried again as often as at first, the oldest first. A job that people wait for is queued again.'
    : 'They are removed for good, and what they were to do stays undone. This cannot be taken back.';
  const rest = chosen.length - shown.length;
  return section(
    isRetry ? 'Have them tried again' : 'Remove them',
    html`<p>${words}</p>
!${shownJobs(shown)}
!${rest > 0 ? html`<p class="quiet">and ${count(rest)} more</p>` : ''}
<form method="post" action="/ops/jobs/${action}" class="actions">
<input type="hidden" name="chosen" value="${chosen.join(' ')}">
<button class="${isRetry ? 'main' : 'danger'}">${isRetry ? 'Retry' : 'Discard'} ${counted(chosen.length)}</button>
<a class="button" href="${back}">Leave them</a>
</form>`,
  );
}

function shownJobs(shown: readonly Delivery[]): Html {
  return table({
    caption: 'The jobs in question',
    columns: [
      { label: 'Job', kind: 'term' },
      { label: 'Organization', kind: 'name' },
      { label: 'Reason', kind: 'wide' },
    ],
    rows: shown.map(({ name, organization_name, organization_id, id, error }) => [
      html`<a href="/ops/jobs/${organization_id}/${id}">${name}</a>`,
      html`${organization_name ?? organization_id}`,
      html`${error ?? '–'}`,
    ]),
  });
}

/** One sentence after a change. */
function whatWasDone(query: URLSearchParams): Html {
  const done = query.get('done');
  const number = Number(query.get('count') ?? 0) || 0;
  const jobs = number === 1 ? '1 job' : `${count(number)} jobs`;
  const sentences: Record<string, string> = {
    retried: `${jobs} will be tried again.`,
    discarded: `${jobs} discarded.`,
    none: 'No job was chosen.',
  };
  const sentence = done === null ? undefined : sentences[done];
  if (!sentence) return '';
  return html`<p role="status" class="told">${sentence}</p>`;
}
