import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { peopleByIds } from '../../platform/access/members/queries.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { purpose } from '../../platform/mailer/purpose.ts';
import { addMail } from '../../platform/mailer/queue-mail.ts';
import type { BookedLocation } from '../bookings/record.ts';
import { pointless } from '../pointless-mails.ts';
import { proposalLink } from '../proposals/links.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import { organizationName } from './organization.ts';
import { momentText, type Reading, spanText } from './times.ts';
import { placeText } from './words.ts';

type Proposed = {
  id: string;
  title: string;
  duration_minutes: number;
  location: BookedLocation | null;
  user_ids: string[];
  candidates: { start: string }[];
  guest: { name: string; email: string; time_zone: string; locale: Locale };
  message: string | null;
  status: string;
  expires_at: string;
};

const FIND = `SELECT id, title, duration_minutes, location, user_ids, candidates, guest, message, status, expires_at
  FROM scheduler_proposals WHERE organization_id = $1 AND id = $2`;

/** Offers the times of a proposal to its guest, in their language and zone, while it is open. */
export const proposalMail = purpose({
  name: 'scheduler.proposal',
  title: { en: 'Proposal of times', ja: '日程の提案' },
  about: z.strictObject({ proposal_id: id('prop') }),
  compose: async ({ proposal_id }, { work, connection, organization_id, locale, now, base_url }) => {
    const [proposal] = await connection.query<Proposed>(FIND, [organization_id, proposal_id]);
    if (proposal?.status !== 'open' || proposal.expires_at <= now.toISOString()) {
      return { pointless: pointless.not_open };
    }
    const { guest, user_ids } = proposal;
    const { time_format } = await schedulerSettingsOf(work);
    const organization = await organizationName(work);
    const personOf = await peopleByIds(work, user_ids);
    const reading: Reading = { time_zone: guest.time_zone, locale, time_format };
    const hosts = user_ids.map((user_id) => personOf(user_id));
    const { label, ...words } = wording[locale]({
      proposal: offered(proposal),
      organization,
      hosts,
      reading,
    });
    const url = await proposalLink({ connection, now, base_url }, { organization_id, ...proposal });
    return {
      from_name: organization,
      ...(hosts[0] && { reply_to: hosts[0].email }),
      to: [{ name: guest.name, address: guest.email }],
      locale,
      ...words,
      action: { label, url, in_brackets: true },
    };
  },
});

/** Without the value of its location, as its page shows it: the link or the address is for who has booked. */
function offered(proposal: Proposed): Proposed {
  const { location } = proposal;
  return { ...proposal, location: location && { ...location, value: null } };
}

/** Asks for the mail that offers a proposal, which the same work adds. */
export function queueProposalMail(
  work: Work,
  { id: proposal_id, guest }: Pick<Proposed, 'id' | 'guest'>,
): void {
  const mail_id = addMail(work, { purpose: proposalMail, about: { proposal_id }, locale: guest.locale });
  work.enqueue(sendMailJob, { mail_id });
}

type Told = {
  proposal: Proposed;
  organization: string;
  hosts: readonly { name: string }[];
  reading: Reading;
};

type Words = { subject: string; paragraphs: string[]; label: string; notes: string[] };

const wording: Readonly<Record<Locale, (told: Told) => Words>> = {
  ja: ({ proposal, organization, hosts, reading }) => ({
    subject: `日程のご提案：${proposal.title}`,
    paragraphs: [
      `${proposal.guest.name} 様`,
      `${organization}：次の日程をご提案します。ご都合のよい日時をお選びください。`,
      ...(proposal.message === null ? [] : [proposal.message]),
      [
        `内容：${proposal.title}`,
        ...(hosts.length > 0 ? [`担当：${hosts.map(({ name }) => name).join('、')}`] : []),
        ...(proposal.location ? [`場所：${placeText(proposal.location, 'ja')}`] : []),
        ...candidateLines(proposal, reading),
      ].join('\n'),
    ],
    label: '日時を選ぶ',
    notes: [`ご回答の期限：${momentText(proposal.expires_at, reading)}`],
  }),
  en: ({ proposal, organization, hosts, reading }) => ({
    subject: `Times for you: ${proposal.title}`,
    paragraphs: [
      `Dear ${proposal.guest.name},`,
      `${organization} proposes these times. Please choose the one that suits you.`,
      ...(proposal.message === null ? [] : [proposal.message]),
      [
        `What: ${proposal.title}`,
        ...(hosts.length > 0 ? [`With: ${hosts.map(({ name }) => name).join(', ')}`] : []),
        ...(proposal.location ? [`Where: ${placeText(proposal.location, 'en')}`] : []),
        ...candidateLines(proposal, reading),
      ].join('\n'),
    ],
    label: 'Choose a time',
    notes: [`Please answer by ${momentText(proposal.expires_at, reading)}.`],
  }),
};

/** The times of a proposal, a line each. */
export function candidateLines(
  { candidates, duration_minutes }: Pick<Proposed, 'candidates' | 'duration_minutes'>,
  reading: Reading,
): string[] {
  return candidates.map(({ start }) => {
    const end = new Date(Date.parse(start) + duration_minutes * 60_000).toISOString();
    return `- ${spanText({ start, end }, reading)}`;
  });
}
