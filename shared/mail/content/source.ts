import type { Language } from '../../kernel/language.ts';
import { htmlFooter, textFooter } from './footer.ts';
import { asHtml } from './placeholders.ts';
import { textOfHtml } from './text-part.ts';

/** What a mail says, with placeholders. */
export type MailSource = {
  subject: string;
  preheader: string | null;
  /** HTML that was cleaned. */
  body_html: string | null;
  body_text: string | null;
  locale: Language;
  /** The page that mail order must name; null: it advertises none. */
  notice_url: string | null;
};

/** The two parts of a mail, still with placeholders, and with what the law wants where a body does not say it. */
export function partsOf(source: MailSource): { html: string; text: string } {
  const html = source.body_html || htmlOfText(source.body_text ?? '');
  const text = source.body_text || textOfHtml(html);
  return { html: page(source, html), text: `${text.trimEnd()}${textFooter(text, source)}\n` };
}

/** It ends open, so that more can follow the body: `END_OF_PAGE`. */
function page(source: MailSource, body: string): string {
  const { locale, subject, preheader } = source;
  const shown_in_lists =
    preheader === null || preheader === ''
      ? ''
      : `<div style="display:none;max-height:0;overflow:hidden">${asHtml(preheader)}</div>\n`;
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${asHtml(subject)}</title></head>
<body>
${shown_in_lists}${body}
${htmlFooter(body, source)}`;
}

export const END_OF_PAGE = '\n</body>\n</html>\n';

function htmlOfText(text: string): string {
  return `<div style="white-space:pre-wrap">${asHtml(text)}</div>`;
}
