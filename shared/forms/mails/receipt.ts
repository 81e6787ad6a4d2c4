import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { purpose } from '../../platform/mailer/purpose.ts';
import { pointless } from '../pointless-mails.ts';
import { receiptUrl } from '../responses/links.ts';
import { answersOf, mailedResponse } from './stored.ts';

/** Tells the one who submitted that the response arrived, with the link of its receipt where it has one. */
export const receiptMail = purpose({
  name: 'forms.receipt',
  title: { en: 'Receipt for a response', ja: 'フォームの回答の控え' },
  about: z.strictObject({ response_id: id('resp') }),
  compose: async ({ response_id }, composing) => {
    const { work, locale, base_url } = composing;
    const mailed = await mailedResponse(composing);
    if (!mailed) return { pointless: pointless.removed };
    if (mailed.is_spam) return { pointless: pointless.spam };
    const { subject, message, include_answers } = mailed.receipt_mail;
    const say = words[locale];
    const answers = include_answers ? await answersOf(composing, mailed, response_id) : [];
    const { submitted_at } = mailed;
    const url = mailed.has_receipt
      ? await receiptUrl(work, { id: response_id, submitted_at }, base_url)
      : null;
    return {
      from_name: mailed.organization,
      to: [{ address: mailed.email }],
      locale,
      subject: subject ?? say.subject(mailed.title),
      paragraphs: [message ?? say.thanks(mailed.title), ...answers],
      ...(url !== null && { action: { label: say.label, url, in_brackets: true } }),
      notes: [say.unasked],
    };
  },
});

type Words = {
  subject: (title: string) => string;
  thanks: (title: string) => string;
  label: string;
  unasked: string;
};

const words: Record<Locale, Words> = {
  ja: {
    subject: (title) => `回答を受け付けました：${title}`,
    thanks: (title) => `「${title}」へのご回答ありがとうございます。回答を受け付けました。`,
    label: '受付内容を見る',
    unasked: 'お心当たりのない場合は、このメールを破棄してください。',
  },
  en: {
    subject: (title) => `Your response was received: ${title}`,
    thanks: (title) => `Thank you for your response to "${title}". It was received.`,
    label: 'See the receipt',
    unasked: 'If you did not fill in this form, you can ignore this mail.',
  },
};
