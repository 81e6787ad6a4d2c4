import { html } from 'ghtml';

/** The languages of mails. */
export type Locale = 'ja' | 'en';

/** A mail before it becomes text: every string is plain text and is escaped where it is written. */
export type Letter = {
  /** Who it is from, in the place of the name in `MAIL_FROM`. */
  from_name?: string;
  /** Where answers go, in the place of the sender. */
  reply_to?: string;
  to: Recipient[];
  cc?: Recipient[];
  locale: Locale;
  subject: string;
  paragraphs: string[];
  /** The link that the mail is for. */
  action?: Action;
  /** What stands after the link, smaller. */
  notes?: string[];
  attachments?: Attachment[];
  /** What a calendar takes the mail's event from: a part of the text, and the attachment `invite.ics`. */
  calendar?: CalendarPart;
};

/**
 * `in_brackets`: the text has the address between `<` and `>`, since mail programs drop letters that rarely end one
 * (RFC 3986 appendix C).
 */
export type Action = { label: string; url: string; in_brackets?: boolean };

/** A text of iCalendar, and what it asks of the one who gets it (RFC 6047). */
export type CalendarPart = { method: 'REQUEST' | 'CANCEL'; text: string };

export type Recipient = { name?: string; address: string };

/** A stored file that goes with a mail. */
export type Attachment = { file_name: string; media_type: string; storage_key: string };

/** The same words as plain text and as a simple page. */
export function renderLetter(letter: Letter): { text: string; html: string } {
  return { text: asText(letter), html: asHtml(letter) };
}

function asText({ paragraphs, action, notes = [] }: Letter): string {
  const link = action ? [`${action.label}:\n${addressAsText(action)}`] : [];
  return `${[...paragraphs, ...link, ...notes].join('\n\n')}\n`;
}

function addressAsText({ url, in_brackets }: Action): string {
  return in_brackets ? `<${url}>` : url;
}

function asHtml({ locale, subject, paragraphs, action, notes = [] }: Letter): string {
  return html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:16px/1.6 sans-serif;color:#1a1a1a;background:#ffffff">
<div style="max-width:560px;margin:0 auto">
!${paragraphs.map(
    (paragraph) => html`<p style="white-space:pre-wrap">${paragraph}</p>
`,
  )}!${action ? actionAsHtml(action) : ''}!${notes.map(
    (note) => html`<p style="font-size:14px;color:#595959">${note}</p>
`,
  )}</div>
</body>
</html>
`;
}

function actionAsHtml({ label, url }: Action): string {
  return html`<p><a href="${url}" style="display:inline-block;padding:10px 20px;color:#ffffff;background:#1d4ed8;text-decoration:none;border-radius:4px">${label}</a></p>
<p style="font-size:14px;word-break:break-all"><a href="${url}" style="color:#1d4ed8">${url}</a></p>
`;
}
