import { z } from 'zod';
import { firstIdOf } from '../../kernel/id.ts';
import { id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { peopleByIds } from '../../platform/access/members/queries.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { type Composing, purpose } from '../../platform/mailer/purpose.ts';
import { addMail } from '../../platform/mailer/queue-mail.ts';
import { pointless } from '../pointless-mails.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import { type Addressed, addressedBy } from './addressed.ts';
import { organizationName } from './organization.ts';
import { candidateLines, proposalMail } from './proposal-mail.ts';
import type { Reading } from './times.ts';

type Ended = {
  id: string;
  title: string;
  duration_minutes: number;
  user_ids: string[];
  candidates: { start: string }[];
  guest: { name: string; email: string; time_zone: string; locale: Locale };
  decline_reason: string | null;
  status: string;
  created_at: string;
};

const recipient = z.union([z.literal('guest'), id('usr')]);

const FIND = `SELECT title, duration_minutes, user_ids, candidates, guest, decline_reason, status
  FROM scheduler_proposals WHERE organization_id = $1 AND id = $2`;

/** Tells that a proposal came to nothing: its hosts that nobody took one of the times, its guest that they were taken back. */
export const proposalEndedMail = purpose({
  name: 'scheduler.proposal_ended',
  title: { en: 'End of a proposal of times', ja: '日程の提案の終了' },
  about: z.strictObject({ proposal_id: id('prop'), recipient }),
  compose: async ({ proposal_id, recipient: to }, composing) => {
    const { work, connection, organization_id, locale } = composing;
    const [proposal] = await connection.query<Ended>(FIND, [organization_id, proposal_id]);
    if (!proposal || !isEnding(proposal.status) || proposal.guest.email === '') {
      return { pointless: pointless.nobody };
    }
    const addressee = await addresseeOf(composing, proposal, to);
    if (!addressee) return { pointless: pointless.host_left };
    const { name, address, reading, reply_to } = addressee;
    const organization = await organizationName(work);
    return {
      from_name: organization,
      ...(reply_to !== undefined && { reply_to }),
      to: [{ name, address }],
      locale,
      ...wording[locale]({ name, organization, proposal, reading, status: proposal.status }),
    };
  },
});

type Addressee = { name: string; address: string; reading: Reading; reply_to: string | undefined };

/** Hosts answer to the guest, the guest to the first host. */
async function addresseeOf(
  { work, locale }: Composing,
  { guest, user_ids }: Ended,
  to: string,
): Promise<Addressee | null> {
  const { time_format } = await schedulerSettingsOf(work);
  const [first] = user_ids;
  if (to === 'guest') {
    const { name, email: address, time_zone } = guest;
    const personOf = await peopleByIds(work, user_ids);
    const reply_to = first === undefined ? undefined : personOf(first).email;
    return { name, address, reading: { locale, time_zone, time_format }, reply_to };
  }
  const host = (await addressedBy(work, [to])).get(to);
  if (!host) return null;
  const { name, email: address, time_zone } = host;
  return { name, address, reading: { locale, time_zone, time_format }, reply_to: guest.email };
}

/**
 * Asks for the mails about proposals that came to nothing: to the hosts of what nobody took, and to the guests of what was taken
 * back, if a mail had told them of it.
 */
export async function queueEndedMails(work: Work, proposals: readonly Ended[]): Promise<void> {
  const [withdrawn, untaken] = [true, false].map((is_withdrawn) =>
    proposals.filter(({ status }) => (status === 'withdrawn') === is_withdrawn),
  ) as [Ended[], Ended[]];
  const offered = await offeredByMail(work, withdrawn);
  const user_ids = untaken.flatMap((proposal) => proposal.user_ids);
  const hosts = user_ids.length === 0 ? new Map<string, Addressed>() : await addressedBy(work, user_ids);
  const drafts = [
    ...withdrawn
      .filter(({ id: proposal_id }) => offered.has(proposal_id))
      .map(({ id: proposal_id, guest }) => ({
        proposal_id,
        recipient: 'guest' as const,
        locale: guest.locale,
      })),
    ...untaken.flatMap(({ id: proposal_id, user_ids: hosting }) =>
      hosting
        .flatMap((user_id) => hosts.get(user_id) ?? [])
        .map(({ user_id, locale }) => ({ proposal_id, recipient: user_id, locale })),
    ),
  ];
  for (const { locale, ...about } of drafts) {
    work.enqueue(sendMailJob, { mail_id: addMail(work, { purpose: proposalEndedMail, about, locale }) });
  }
}

/** Which proposals a mail offered: it was asked for in the moment in which its proposal was made. */
async function offeredByMail(
  { connection, organization_id }: Work,
  proposals: readonly Ended[],
): Promise<ReadonlySet<string>> {
  if (proposals.length === 0) return new Set();
  const moments = proposals.map(({ created_at }) => Date.parse(created_at));
  const rows = await connection.query<{ id: string }>(
    `SELECT mail.about ->> 'proposal_id' AS id FROM mails AS mail
       JOIN unnest($2::text[], $3::text[], $4::text[]) AS proposal (id, first, last)
         ON mail.id >= proposal.first AND mail.id < proposal.last AND mail.about ->> 'proposal_id' = proposal.id
      WHERE mail.organization_id = $1 AND mail.purpose = $5`,
    [
      organization_id,
      proposals.map((proposal) => proposal.id),
      moments.map((moment) => firstIdOf('mail', new Date(moment))),
      moments.map((moment) => firstIdOf('mail', new Date(moment + 1))),
      proposalMail.name,
    ],
  );
  return new Set(rows.map((row) => row.id));
}

type Ending = 'declined' | 'expired' | 'withdrawn';

function isEnding(status: string): status is Ending {
  return status === 'declined' || status === 'expired' || status === 'withdrawn';
}

type Told = { name: string; organization: string; proposal: Ended; reading: Reading; status: string };

type Words = { subject: string; paragraphs: string[] };

const wording: Readonly<Record<Locale, (told: Told) => Words>> = {
  ja: ({ name, organization, proposal, reading, status }) => {
    const [headline, sentence] = japanese[status as Ending];
    const { guest, title, decline_reason } = proposal;
    return {
      subject: `${headline}：${title}`,
      paragraphs: [
        `${name} 様`,
        `${organization}：${sentence}`,
        [
          `内容：${title}`,
          ...(status === 'withdrawn' ? [] : [`お客様：${guest.name} ${guest.email}`]),
          ...candidateLines(proposal, reading),
        ].join('\n'),
        ...(decline_reason === null ? [] : [`理由：${decline_reason}`]),
      ],
    };
  },
  en: ({ name, organization, proposal, reading, status }) => {
    const [headline, sentence] = english[status as Ending];
    const { guest, title, decline_reason } = proposal;
    return {
      subject: `${headline}: ${title}`,
      paragraphs: [
        `Dear ${name},`,
        `${organization}: ${sentence}`,
        [
          `What: ${title}`,
          ...(status === 'withdrawn' ? [] : [`Guest: ${guest.name} ${guest.email}`]),
          ...candidateLines(proposal, reading),
        ].join('\n'),
        ...(decline_reason === null ? [] : [`Reason: ${decline_reason}`]),
      ],
    };
  },
};

const japanese: Readonly<Record<Ending, readonly [headline: string, sentence: string]>> = {
  declined: ['日程の候補が辞退されました', 'お客様から、次の日程はどれも合わないとのお返事がありました。'],
  expired: [
    '日程の候補が期限切れになりました',
    '期限までにお客様からのお返事がありませんでした。次の日程の仮押さえは解除されています。',
  ],
  withdrawn: [
    '日程のご提案を取り下げました',
    '先日ご提案した次の日程は取り下げました。ご不明な点は、このメールにご返信ください。',
  ],
};

const english: Readonly<Record<Ending, readonly [headline: string, sentence: string]>> = {
  declined: ['The proposed times were declined', 'your guest says that none of these times suits.'],
  expired: [
    'The proposed times have expired',
    'your guest has not answered in time. None of these times is held any more.',
  ],
  withdrawn: [
    'The proposed times were taken back',
    'the times that we proposed to you do not hold any more. Reply to this mail if you have questions.',
  ],
};
