import type { Reader } from '../../kernel/reader.ts';
import { complete, mailOriginOf } from '../campaigns/mail.ts';
import { campaignById } from '../campaigns/queries.ts';
import { campaignMail } from '../campaigns/sender.ts';
import { compileMail } from '../content/compiled.ts';
import { asHtml } from '../content/placeholders.ts';
import { mailRecipientOf } from './mail-recipient.ts';
import type { MailGuest } from './recipient.ts';

/** A mail as a page, made anew each time: it is stored nowhere. Its links are plain, and nothing is counted. */
export async function viewOf(
  reader: Reader,
  guest: MailGuest,
  base_url: string,
): Promise<{ html: string; locale: MailGuest['locale'] }> {
  const campaign = await campaignById(reader, guest.campaign_id);
  const mail = complete(await campaignMail(reader, campaign));
  const origin = await mailOriginOf(reader, base_url);
  const recipient = await mailRecipientOf(reader, guest);
  const at = guest.sent_at === null ? reader.now : new Date(guest.sent_at);
  const { subject, html } = compileMail(mail, origin).show(recipient, at);
  return { html: asPage(html, subject), locale: guest.locale };
}

/** Stands for what a mail program does: a font and a margin where the mail has none, pictures no wider than the screen. */
const STYLE = `<style>
body { margin: 0 auto; max-width: 44rem; padding: 1rem; font: 1rem/1.6 sans-serif; color: #16202e; background: #fff; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; }
.title { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
</style>`;

/** The document of a mail with what a page needs besides: who cannot see it finds its content, and a heading. */
function asPage(html: string, subject: string): string {
  const heading = /<h1[\s>]/.test(html) ? '' : `<h1 class="title">${asHtml(subject)}</h1>\n`;
  return html
    .replace('</head>\n<body>\n', () => `${STYLE}</head>\n<body>\n<main>\n${heading}`)
    .replace(/\n<\/body>\n<\/html>\n$/, '\n</main>\n</body>\n</html>\n');
}
