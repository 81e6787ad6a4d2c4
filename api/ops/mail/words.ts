import { html } from 'ghtml';
import { domains } from '../../../shared/domains.ts';
import { purposesOf } from '../../../shared/platform/mailer/purposes.ts';
import type { Html } from '../parts.ts';
import type { Speech } from '../speech.ts';

const purposes = purposesOf(domains);

/** What a mail is; its code where another release has sent it. */
export function whatMail({ say }: Speech, purpose: string): string {
  const title = purposes.get(purpose)?.title;
  return title ? say(title) : purpose;
}

/** A link to a mail by what it is, with its ID and the code that the log has. */
export function mailLink(
  speech: Speech,
  { organization_id, id, purpose }: { organization_id: string; id: string; purpose: string },
): Html {
  return html`<a href="/ops/mails/${organization_id}/${id}">${whatMail(speech, purpose)}</a> <span class="under">${purpose} ${id}</span>`;
}
