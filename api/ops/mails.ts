import type Router from '@koa/router';
import { html } from 'ghtml';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { type MailTrouble, troubledMails } from '../../shared/mailer/troubled.ts';
import type { ApiContext } from '../context.ts';
import { sendPage } from './page.ts';

const NEWEST = 200;

/** The mails that did not simply leave: refused for good, of unknown fate, or waiting after a refusal. */
export function mailPages(router: Router, { database }: ApiContext): void {
  router.get('/ops/mails', async (context) => {
    const mails = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      troubledMails(connection, NEWEST),
    );
    sendPage(context, 'Mails in trouble', mails.length === 0 ? '<p>Every mail has left.</p>' : table(mails));
  });
}

const HEADINGS = ['Mail', 'Organization', 'Purpose', 'Status', 'Tries', 'Last change', 'Why'];

function table(mails: readonly MailTrouble[]): string {
  return html`<p>Unknown: the mail server took the text and never answered, so the mail may have arrived. It is not sent again by itself.</p>
<table>
<thead><tr>!${HEADINGS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
!${mails.map(row)}</tbody>
</table>`;
}

function row({ id, organization_id, purpose, status, attempts, updated_at, error }: MailTrouble): string {
  const cells = [id, organization_id, purpose, status, attempts, updated_at, error];
  return html`<tr>!${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`;
}
