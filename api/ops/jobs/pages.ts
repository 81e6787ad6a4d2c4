import type Router from '@koa/router';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { notFound } from '../../../shared/kernel/failure.ts';
import type { Text } from '../../../shared/kernel/language.ts';
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
import { goTo, places, sendPage, speechOf } from '../page.ts';
import { type Html, section, table, told } from '../parts.ts';
import { count, type Speech } from '../speech.ts';
import { jobDetail, stateBadge } from './detail.ts';
import { filtersOf, jobList, PER_PAGE, queryFrom } from './list.ts';
import { countedJobs, jobWords } from './words.ts';

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
    const speech = speechOf(context, now());
    const window = { limit: PER_PAGE, offset: (page - 1) * PER_PAGE, now: speech.now };
    const [found, names] = await read((connection) =>
      Promise.all([deliveryPage(connection, filters, window), deliveryNames(connection)]),
    );
    const list = jobList(speech, { filters, ...found, page, names });
    const body = html`!${whatWasDone(speech, query)}!${list}`;
    sendPage(context, { title: speech.say(places.jobs.label), body });
  });

  router.get('/ops/jobs/:organization_id/:id', async (context) => {
    const { organization_id = '', id = '' } = context.params;
    const speech = speechOf(context, now());
    const delivery = await read((connection) =>
      deliveryById(connection, { organization_id, id }, speech.now),
    );
    if (!delivery) return sendGone(context, speech);
    const within = { ...places.jobs, path: `/ops/jobs?state=${delivery.state}` };
    const body = jobDetail(speech, delivery);
    sendPage(context, { title: delivery.name, body, aside: stateBadge(speech, delivery), within });
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
    const speech = speechOf(context, now());
    const counted = countedJobs(chosen.length);
    const title = speech.say(
      action === 'retry'
        ? { en: `Retry ${counted.en}?`, ja: `${counted.ja}を再実行しますか？` }
        : { en: `Discard ${counted.en}?`, ja: `${counted.ja}を破棄しますか？` },
    );
    const shown = await read((connection) => deliveriesGivenUp(connection, chosen.slice(0, NAMED)));
    const within = { ...places.jobs, path: back };
    const body = confirmation(speech, action, { chosen, shown, back });
    sendPage(context, { title, body, within });
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

function sendGone(context: Context, { say }: Speech): void {
  const gone = say({
    en: 'It is done, discarded or was never there.',
    ja: '完了したか、破棄されたか、もともとありません。',
  });
  const body = html`<p>${gone}</p>
<p><a href="/ops/jobs">${say({ en: 'Back to the jobs', ja: 'ジョブの一覧へ戻る' })}</a></p>`;
  const title = say({ en: 'No such job', ja: 'ジョブが見つかりません' });
  sendPage(context, { title, body, status: 404 });
}

type Asked = { chosen: readonly string[]; shown: readonly Delivery[]; back: string };

function confirmation(speech: Speech, action: 'retry' | 'discard', { chosen, shown, back }: Asked): Html {
  const { say } = speech;
  const isRetry = action === 'retry';
  const words = isRetry
    ? {
        en: 'Each is tried again as often as at first, the oldest first. A job that people wait for is queued again.',
        ja: '古いものから、最初と同じ回数まで試みます。利用者が待っているジョブは、再び順番待ちになります。',
      }
    : {
        en: 'They are removed for good, and what they were to do stays undone. This cannot be taken back.',
        ja: '完全に削除され、処理は行われません。元に戻すことはできません。',
      };
  const rest = chosen.length - shown.length;
  const more = say({ en: `and ${count(rest)} more`, ja: `ほか${count(rest)}件` });
  const counted = countedJobs(chosen.length);
  const button = isRetry
    ? { en: `Retry ${counted.en}`, ja: `${counted.ja}を再実行` }
    : { en: `Discard ${counted.en}`, ja: `${counted.ja}を破棄` };
  return section(
    speech,
    isRetry ? { en: 'Have them tried again', ja: '再実行' } : { en: 'Remove them', ja: '破棄' },
    html`<p>${say(words)}</p>
!${shownJobs(speech, shown)}
!${rest > 0 ? html`<p class="quiet">${more}</p>` : ''}
<form method="post" action="/ops/jobs/${action}" class="actions">
<input type="hidden" name="chosen" value="${chosen.join(' ')}">
<button class="${isRetry ? 'main' : 'danger'}">${say(button)}</button>
<a class="button" href="${back}">${say(jobWords.leave)}</a>
</form>`,
  );
}

function shownJobs(speech: Speech, shown: readonly Delivery[]): Html {
  return table(speech, {
    caption: { en: 'The jobs in question', ja: '対象のジョブ' },
    columns: [
      { label: jobWords.job, kind: 'term' },
      { label: jobWords.organization, kind: 'name' },
      { label: jobWords.reason, kind: 'wide' },
    ],
    rows: shown.map(({ name, organization_name, organization_id, id, error }) => [
      html`<a href="/ops/jobs/${organization_id}/${id}">${name}</a>`,
      html`${organization_name ?? organization_id}`,
      html`${error ?? '–'}`,
    ]),
  });
}

/** One sentence after a change. */
function whatWasDone({ say }: Speech, query: URLSearchParams): Html {
  const number = Number(query.get('count') ?? 0) || 0;
  const jobs = number === 1 ? '1 job' : `${count(number)} jobs`;
  const sentences: Record<string, Text> = {
    retried: { en: `${jobs} will be tried again.`, ja: `${count(number)}件のジョブを再実行します。` },
    discarded: { en: `${jobs} discarded.`, ja: `${count(number)}件のジョブを破棄しました。` },
    none: { en: 'No job was chosen.', ja: 'ジョブが選択されていません。' },
  };
  const sentence = sentences[query.get('done') ?? ''];
  return sentence ? told(say(sentence)) : '';
}
