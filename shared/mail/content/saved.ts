import { invalid, invalidAll } from '../../kernel/failure.ts';
import { cleanedHtml } from './cleaned.ts';
import { MOST_BODY_BYTES } from './fields.ts';
import { hostFaults } from './hosts.ts';
import { errorOf, requirePlaceholders } from './placeholders.ts';
import { htmlBody } from './places.ts';
import { cleaningWarnings, type MailWarning, writtenWarnings } from './warnings.ts';

/** What a mail says, as somebody sends it to be saved. */
export type Contents = {
  subject: string | null;
  preheader: string | null;
  body_html: string | null;
  body_text: string | null;
};

/**
 * Contents as they are saved: HTML cleaned, which is told beside what else is odd. Of what stays as it was before, the
 * warnings stay too. Errors: `validation_failed` with `unknown_placeholder` or `placeholder_in_host`, with the
 * position of each; with `too_deep` or `too_long` at /body_html.
 */
export function savedContents<Sent extends Contents>(
  sent: Sent,
  before: (Contents & { warnings: readonly MailWarning[] }) | null,
): Sent & { warnings: MailWarning[] } {
  const { subject, preheader, body_html, body_text } = sent;
  requirePlaceholders({ subject, preheader, body_html, body_text });
  const leading = hostFaults(body_text ?? '', { in_text: true }).map((fault) => errorOf('/body_text', fault));
  if (leading.length > 0) throw invalidAll(leading);
  if (body_html === null || body_html === before?.body_html) {
    const kept = body_html === null ? [] : (before?.warnings ?? []).filter(({ code }) => isOfCleaning(code));
    return { ...sent, warnings: [...kept, ...writtenWarnings(sent)] };
  }
  const { html, removed } = cleanedHtml(body_html);
  if (Buffer.byteLength(html) > MOST_BODY_BYTES) throw tooLong();
  const faults = htmlBody(html).faults.map((fault) => errorOf('/body_html', fault));
  if (faults.length > 0) throw invalidAll(faults);
  const saved = { ...sent, body_html: html };
  return { ...saved, warnings: [...cleaningWarnings(removed), ...writtenWarnings(saved)] };
}

/** Cleaned it is longer than it was sent: elements are closed, and each `&` is written as `&amp;`. */
function tooLong() {
  return invalid('/body_html', 'too_long', {
    en: 'body_html must have 512 KiB or fewer, also once its elements are closed and its & are written as &amp;',
    ja: 'body_html は、要素を閉じ、& を &amp; に直した後も512 KiB以内にしてください',
  });
}

function isOfCleaning(code: string): boolean {
  return code.endsWith('_removed');
}
