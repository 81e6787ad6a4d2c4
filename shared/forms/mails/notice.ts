import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { purpose } from '../../platform/mailer/purpose.ts';
import { pointless } from '../pointless-mails.ts';
import { answersOf, mailedResponse } from './stored.ts';

/** Tells those whom a form names of a response. */
export const noticeMail = purpose({
  name: 'forms.notice',
  title: { en: 'News of a response', ja: 'フォームの回答の通知' },
  about: z.strictObject({ response_id: id('resp') }),
  compose: async ({ response_id }, composing) => {
    const { locale } = composing;
    const mailed = await mailedResponse(composing);
    if (!mailed) return { pointless: pointless.removed };
    if (mailed.is_spam) return { pointless: pointless.spam };
    const say = words[locale];
    const answers = mailed.notify.include_answers ? await answersOf(composing, mailed, response_id) : [];
    return {
      from_name: mailed.organization,
      to: [{ address: mailed.email }],
      locale,
      subject: say.subject(mailed.title),
      paragraphs: [say.told(mailed.title), ...answers],
      notes: [say.id(response_id)],
    };
  },
});

const words: Record<Locale, Record<'subject' | 'told' | 'id', (text: string) => string>> = {
  ja: {
    subject: (title) => `新しい回答：${title}`,
    told: (title) => `フォーム「${title}」に新しい回答がありました。`,
    id: (response_id) => `回答ID：${response_id}`,
  },
  en: {
    subject: (title) => `New response: ${title}`,
    told: (title) => `The form "${title}" has a new response.`,
    id: (response_id) => `Response: ${response_id}`,
  },
};
