import { z } from 'zod';
import type { Sentence } from '../../kernel/sentences.ts';
import type { Removed } from './cleaned.ts';

/** What is odd about a mail, though it was accepted. Records keep the sentence in English. */
export const MailWarning = z
  .strictObject({
    code: z.string().meta({ examples: ['image_without_alt'] }),
    path: z.string().meta({ examples: ['/body_html'] }),
    message: z.string().meta({ examples: ['A picture has no alt'] }),
  })
  .meta({ id: 'MailWarning' });

export type MailWarning = z.output<typeof MailWarning>;

/** Gmail cuts what is longer, with the way to unsubscribe. */
const MOST_BYTES = 102_400;

/** Mailboxes show hardly more. */
const LONGEST_SUBJECT = 60;

const elementsRemoved = (names: string) => ({
  en: `These elements were taken out: ${names}`,
  ja: `使えない要素を取り除きました: ${names}`,
});
const attributesRemoved = (names: string) => ({
  en: `These attributes were taken out: ${names}`,
  ja: `使えない属性を取り除きました: ${names}`,
});
const addressesRemoved = (names: string) => ({
  en: `These addresses were taken out: ${names}`,
  ja: `使えないURLを取り除きました: ${names}`,
});
const bodyLarge = () => ({
  en: 'The body has more than 102,400 bytes: some mailboxes cut it off',
  ja: '本文が102,400バイトを超えています。途中で切られて表示されることがあります',
});
const imageWithoutAlt = () => ({
  en: 'A picture has no alt',
  ja: 'alt のない画像があります',
});
const subjectLong = () => ({
  en: 'The subject has more than 60 characters: some mailboxes cut it off',
  ja: '件名が60文字を超えています。途中で切られて表示されることがあります',
});

/** What the warnings of mails say. */
export const mailWarnings: readonly Sentence[] = [
  elementsRemoved,
  attributesRemoved,
  addressesRemoved,
  bodyLarge,
  imageWithoutAlt,
  subjectLong,
];

/** What was taken out of the HTML. */
export function cleaningWarnings({ elements, attributes, addresses }: Removed): MailWarning[] {
  const path = '/body_html';
  const warnings: MailWarning[] = [];
  const told = (names: readonly string[]) => names.join(', ').replace(/\s+/g, ' ');
  if (elements.length > 0) {
    warnings.push({ code: 'elements_removed', path, message: elementsRemoved(told(elements)).en });
  }
  if (attributes.length > 0) {
    warnings.push({ code: 'attributes_removed', path, message: attributesRemoved(told(attributes)).en });
  }
  if (addresses.length > 0) {
    warnings.push({ code: 'addresses_removed', path, message: addressesRemoved(told(addresses)).en });
  }
  return warnings;
}

/** What else is odd about the contents, of which the HTML was cleaned. */
export function writtenWarnings({
  subject,
  body_html,
}: {
  subject: string | null;
  body_html: string | null;
}): MailWarning[] {
  const warnings: MailWarning[] = [];
  if (Buffer.byteLength(body_html ?? '') > MOST_BYTES) {
    warnings.push({ code: 'body_large', path: '/body_html', message: bodyLarge().en });
  }
  if (/<img(?![^>]* alt=)/.test(body_html ?? '')) {
    warnings.push({ code: 'image_without_alt', path: '/body_html', message: imageWithoutAlt().en });
  }
  if ([...(subject ?? '')].length > LONGEST_SUBJECT) {
    warnings.push({ code: 'subject_long', path: '/subject', message: subjectLong().en });
  }
  return warnings;
}
