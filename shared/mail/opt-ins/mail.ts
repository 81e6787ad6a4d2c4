import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import { newLink } from '../../platform/links/links.ts';
import type { Letter, Locale } from '../../platform/mailer/letter.ts';
import { type Composing, type Pointless, purpose } from '../../platform/mailer/purpose.ts';
import { mailListById } from '../lists/queries.ts';
import { pointless } from '../pointless-mails.ts';
import { mailSenderOf } from '../settings/queries.ts';
import { optInLinks } from './links.ts';
import { findOptIn, type OptInRow } from './queries.ts';

/** Asks the holder of an address whether they want to join a list. */
export const optInMail = purpose({
  name: 'mail.opt_in',
  title: { en: 'Confirmation of an opt-in', ja: '配信登録の確認' },
  about: z.strictObject({ opt_in_id: id('mopt') }),
  compose: async ({ opt_in_id }, composing) => {
    const { work, now } = composing;
    const optIn = await findOptIn(work, opt_in_id);
    if (!optIn) return { pointless: pointless.erased };
    if (optIn.confirmed_at !== null) return { pointless: pointless.confirmed };
    if (optIn.expires_at <= now.toISOString()) return { pointless: pointless.expired };
    return letter(composing, optIn);
  },
});

async function letter(composing: Composing, optIn: OptInRow): Promise<Letter | Pointless> {
  const { work, organization_id, locale } = composing;
  const organization = await mailSenderOf(work);
  const list = await mailListById(work, optIn.list_id);
  const until = new Date(optIn.expires_at);
  const url = await newLink(composing, optInLinks, { organization_id, record_id: optIn.id, until });
  const say = words[locale];
  return {
    from_name: organization,
    to: [{ address: optIn.email }],
    locale,
    subject: say.subject(organization),
    paragraphs: [say.asked(organization, list.name), ...(optIn.text === null ? [] : [optIn.text])],
    action: { label: say.label, url, in_brackets: true },
    notes: say.notes,
  };
}

const words: Record<
  Locale,
  {
    subject: (organization: string) => string;
    asked: (organization: string, list: string) => string;
    label: string;
    notes: string[];
  }
> = {
  ja: {
    subject: (organization) => `${organization}からのメール配信の確認`,
    asked: (organization, list) =>
      `${organization}のメール「${list}」の配信申し込みを受け付けました。配信を希望される場合は、次のリンクを開いて確認してください。`,
    label: '配信を確認する',
    notes: [
      'リンクの有効期限は7日間です。',
      'お心当たりのない場合は、このメールを破棄してください。配信は始まりません。',
    ],
  },
  en: {
    subject: (organization) => `Confirm mail from ${organization}`,
    asked: (organization, list) =>
      `Somebody asked for mail of ${organization}, "${list}", to be sent to this address. If you want it, open this link and confirm.`,
    label: 'Confirm',
    notes: [
      'The link works for 7 days.',
      'If you did not ask for this, you can ignore this mail: nothing will be sent.',
    ],
  },
};
