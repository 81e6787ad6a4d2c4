import type { Locale } from '../../platform/mailer/letter.ts';
import type { BookedLocation } from '../bookings/record.ts';
import { headlineOf, type Reader } from './headlines.ts';
import { type Reading, type Span, shortText, spanText } from './times.ts';
import type { News } from './told.ts';

/** What a mail about a booking or a session can say. */
export type Facts = {
  news: News | 'reminder';
  reader: Reader;
  reading: Reading;
  /** Whom it speaks to. */
  name: string;
  organization: string;
  title: string;
  span: Span;
  before: Span | null;
  is_pending: boolean;
  hosts: readonly string[];
  location: BookedLocation | null;
  seats: { taken: number; of: number } | null;
  /** Why it was cancelled or declined, by who did it. */
  reason: string | null;
  /** Who booked, for guests who come along: they may never have heard of the organization. */
  booked_by: string | null;
  /** Who booked, for hosts. */
  guest: { name: string; email: string; phone: string | null; additional: readonly string[] } | null;
  answers: readonly { label: string; text: string }[];
};

/** The subject and the paragraphs of a mail. */
export function wordsOf(facts: Facts): { subject: string; paragraphs: string[] } {
  const { news, reader, reading, title, span, is_pending, reason } = facts;
  const { locale } = reading;
  const say = sentences[locale];
  const headline = headlineOf(news, reader, locale);
  const subject = `${headline}${say.colon}${title}${say.bracketed(shortText(span.start, reading))}`;
  const isAsked = is_pending && news === 'rescheduled';
  const paragraphs = [
    say.greeting(facts.name),
    say.headline(headline, facts.organization),
    ...(news === 'requested' && reader !== 'host' ? [say.requested] : []),
    ...(isAsked ? [say.asked[reader]] : []),
    linesOf(facts),
    ...(reason === null ? [] : [`${say.reason}${say.colon}${reason}`]),
  ];
  return { subject, paragraphs };
}

/** What is known of a booking, a line each: `日時：…`. */
export function linesOf(facts: Facts): string {
  const { reading, title, span, before, hosts, location, seats, booked_by, guest, answers } = facts;
  const say = sentences[reading.locale];
  const line = (label: string, text: string) => `${label}${say.colon}${text}`;
  const place = location ? placeText(location, reading.locale) : '';
  return [
    line(say.title, title),
    line(say.when, spanText(span, reading)),
    ...(before ? [line(say.before, spanText(before, reading))] : []),
    ...(hosts.length > 0 ? [line(say.hosts, hosts.join(say.and))] : []),
    ...(place ? [line(say.place, place)] : []),
    ...(seats ? [line(say.seats, `${seats.taken} / ${seats.of}`)] : []),
    ...(booked_by === null ? [] : [line(say.booked_by, booked_by)]),
    ...(guest ? guestLines(guest, line, say) : []),
    ...answers.map(({ label, text }) => line(label, text)),
  ].join('\n');
}

/** Where to meet, in one line. */
export function placeText({ type, label, value }: BookedLocation, locale: Locale): string {
  const name = label ?? places[locale][type];
  return value === null ? name : `${name} ${value}`;
}

/** What places are called that have no name of their own. */
export const places: Readonly<Record<Locale, Record<BookedLocation['type'], string>>> = {
  ja: {
    in_person: '対面',
    link: 'オンライン',
    phone_host: 'お客様からのお電話',
    phone_guest: '担当者からのお電話',
    google_meet: 'Google Meet',
  },
  en: {
    in_person: 'In person',
    link: 'Online',
    phone_host: 'The guest calls',
    phone_guest: 'The host calls',
    google_meet: 'Google Meet',
  },
};

function guestLines(
  { name, email, phone, additional }: NonNullable<Facts['guest']>,
  line: (label: string, text: string) => string,
  say: Sentences,
): string[] {
  return [
    line(say.guest, `${name} ${email}`),
    ...(phone ? [line(say.phone, phone)] : []),
    ...(additional.length > 0 ? [line(say.additional, additional.join(', '))] : []),
  ];
}

/** What the button of the guest's link says, and what stands below it. */
export function linkWords(locale: Locale): string {
  return sentences[locale].link;
}

/** What an organization says of cancelling, while there is something to cancel. */
export function policyNotes(policy: string | null, news: Facts['news'], locale: Locale): string[] {
  const { policy: label, colon } = sentences[locale];
  return policy === null || OVER.has(news) ? [] : [`${label}${colon}${policy}`];
}

const OVER: ReadonlySet<Facts['news']> = new Set(['cancelled', 'declined', 'expired']);

type Sentences = {
  colon: string;
  and: string;
  bracketed: (text: string) => string;
  greeting: (name: string) => string;
  headline: (headline: string, organization: string) => string;
  requested: string;
  asked: Record<Reader, string>;
  title: string;
  when: string;
  before: string;
  hosts: string;
  place: string;
  seats: string;
  booked_by: string;
  guest: string;
  phone: string;
  additional: string;
  reason: string;
  link: string;
  policy: string;
};

const sentences: Readonly<Record<Locale, Sentences>> = {
  ja: {
    colon: '：',
    and: '、',
    bracketed: (text) => `（${text}）`,
    greeting: (name) => `${name} 様`,
    headline: (headline, organization) => `${organization}：${headline}。`,
    requested: '予約はまだ確定していません。担当者の確認後、あらためてメールでお知らせします。',
    asked: {
      guest: '新しい日時は、担当者の確認後に確定します。',
      other_guest: '新しい日時は、担当者の確認後に確定します。',
      host: '新しい日時はまだ確定していません。確認をお願いします。',
    },
    title: '内容',
    when: '日時',
    before: '変更前の日時',
    hosts: '担当',
    place: '場所',
    seats: '参加人数',
    booked_by: '予約された方',
    guest: 'お客様',
    phone: '電話番号',
    additional: '同席者',
    reason: '理由',
    link: '予約の確認・変更',
    policy: 'キャンセルについて',
  },
  en: {
    colon: ': ',
    and: ', ',
    bracketed: (text) => ` (${text})`,
    greeting: (name) => `Dear ${name},`,
    headline: (headline, organization) => `${organization}: ${headline}.`,
    requested: 'It still has to be confirmed by your host. We write to you again then.',
    asked: {
      guest: 'The new time still has to be confirmed by your host.',
      other_guest: 'The new time still has to be confirmed by the host.',
      host: 'The new time waits for your confirmation.',
    },
    title: 'What',
    when: 'When',
    before: 'Before',
    hosts: 'With',
    place: 'Where',
    seats: 'Participants',
    booked_by: 'Booked by',
    guest: 'Guest',
    phone: 'Phone',
    additional: 'Also coming',
    reason: 'Reason',
    link: 'See or change your booking',
    policy: 'Cancellation policy',
  },
};
