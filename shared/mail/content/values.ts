import { fullName } from '../../kernel/full-name.ts';
import type { Language } from '../../kernel/language.ts';
import type { LinkKey } from '../../platform/links/keys.ts';
import { type TokenPurpose, tokenOf } from '../campaigns/tokens.ts';
import type { Values } from './placeholders.ts';

/** What the values of a mail have of its campaign. */
export type ValuesOfCampaign = {
  /** Of the campaign over all organizations. */
  number: number;
  locale: Language;
  sender_name: string | null;
  sender_address: string | null;
  sender_contact: string | null;
};

/** Where mails lead, and the key of their tokens. */
export type MailOrigin = { base_url: string; organization_slug: string; key: LinkKey };

/** Whom a mail goes to. `id` and `number` are those of the recipient's row. */
export type MailRecipient = {
  id: string;
  number: number;
  email: string;
  first_name: string | null;
  last_name: string | null;
  attributes: Readonly<Record<string, string>>;
  /** Whether opens and clicks may be counted. */
  tracked: boolean;
  /** Where the mail goes where that is not the recipient's address, as of test mails. */
  sent_to?: string;
};

const DATES = {
  ja: new Intl.DateTimeFormat('ja-JP', { dateStyle: 'long', timeZone: 'Asia/Tokyo' }),
  en: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'Asia/Tokyo' }),
};

/** The tokens of a recipient, by what each is good for. */
export function tokensOf(
  { number: campaign_number }: Pick<ValuesOfCampaign, 'number'>,
  { key }: Pick<MailOrigin, 'key'>,
  { number: recipient_number }: Pick<MailRecipient, 'number'>,
): (purpose: TokenPurpose) => string {
  return (purpose) => tokenOf(key, purpose, { campaign_number, recipient_number });
}

/** What the placeholders of a mail stand for, to one recipient. `now`: the time of the mail. */
export function valuesOf(
  campaign: ValuesOfCampaign,
  origin: MailOrigin,
  recipient: MailRecipient,
  now: Date,
): Values {
  const { sender_name, sender_address, sender_contact, locale } = campaign;
  const { email, first_name, last_name, attributes } = recipient;
  const token = tokensOf(campaign, origin, recipient);
  return {
    email,
    first_name,
    last_name,
    full_name: fullName(recipient),
    attributes,
    sender_name,
    sender_address,
    sender_contact,
    unsubscribe_url: `${origin.base_url}/m/u/${token('unsubscribe')}`,
    get view_url() {
      return `${origin.base_url}/m/v/${token('view')}`;
    },
    get sent_date() {
      return DATES[locale].format(now);
    },
  };
}
