import type Router from '@koa/router';
import { html } from 'ghtml';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { type QueueNumbers, queueNumbers } from '../../shared/outbox/numbers.ts';
import type { ApiContext } from '../context.ts';
import { sendPage } from './page.ts';

/** The first page for operators: how the queues stand. */
export function queuePages(router: Router, { database, now }: ApiContext): void {
  router.get('/ops', async (context) => {
    const rows = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      queueNumbers(connection, now()),
    );
    sendPage(context, 'Queues', table(rows));
  });
}

const HEADINGS = ['Waiting', 'In the queue', 'Given up', 'Oldest (s)', 'Not handed over for (s)'];

function table(rows: readonly QueueNumbers[]): string {
  return html`<table>
<thead><tr><th scope="col">Queue</th>!${HEADINGS.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>
!${rows.map(row)}</tbody>
</table>`;
}

function row({ queue, waiting, in_flight, failed, oldest_seconds, lag_seconds }: QueueNumbers): string {
  const numbers = [waiting, in_flight, failed, oldest_seconds ?? '–', lag_seconds ?? '–'];
  return html`<tr><th scope="row">${queue}</th>!${numbers.map((number) => html`<td class="number">${number}</td>`)}</tr>
`;
}
