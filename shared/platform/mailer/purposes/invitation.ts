import { z } from 'zod';
import { id } from '../../../kernel/schema.ts';
import { newLink } from '../../links/links.ts';
import { invitationLinks } from '../invitation-tokens.ts';
import type { Locale } from '../letter.ts';
import { pointless } from '../pointless.ts';
import { purpose } from '../purpose.ts';

type Invited = {
  email: string;
  organization: string;
  invited_by: string;
  status: string;
  expires_at: string;
  /** The newest mail of the invitation; null for one that was made before this was noted. */
  latest_mail_id: string | null;
};

/**
 * The link by which somebody joins an organization. Only the invitation's newest mail has one, and each try of it
 * replaces the link of the try before: the server refused that one, or its end is unknown and it is sent anew.
 */
export const invitation = purpose({
  name: 'invitation',
  title: { en: 'Invitation to an organization', ja: '組織への招待' },
  about: z.object({ invitation_id: id('invt') }),
  compose: async ({ invitation_id }, composing) => {
    const { mail_id, connection, organization_id, locale, now } = composing;
    const [invited] = await connection.query<Invited>(
      `SELECT i.email, o.name AS organization, u.name AS invited_by, i.status, i.expires_at,
         i.mail_id AS latest_mail_id
       FROM invitations i JOIN organizations o ON o.id = i.organization_id JOIN users u ON u.id = i.invited_by
       WHERE i.organization_id = $1 AND i.id = $2 FOR UPDATE OF i`,
      [organization_id, invitation_id],
    );
    if (invited?.status !== 'pending' || invited.expires_at <= now.toISOString()) {
      return { pointless: pointless.invitation_closed };
    }
    if (invited.latest_mail_id !== null && invited.latest_mail_id !== mail_id) {
      return { pointless: pointless.replaced };
    }
    const url = await newLink(composing, invitationLinks, { organization_id, record_id: invitation_id });
    const words = wording[locale](invited);
    const action = { label: words.label, url };
    return { to: [{ address: invited.email }], locale, ...words, action };
  },
});

const wording: Record<Locale, (invited: Invited) => Words> = {
  ja: ({ organization, invited_by, expires_at }) => ({
    subject: `${organization} への招待`,
    paragraphs: [
      `${invited_by} さんから「${organization}」に招待されています。`,
      '参加するには、次のリンクを開いてください。',
    ],
    label: '招待を受ける',
    notes: [
      `このリンクの有効期限は ${dayOf(expires_at, 'ja')} です。`,
      'お心当たりのない場合は、このメールを破棄してください。',
    ],
  }),
  en: ({ organization, invited_by, expires_at }) => ({
    subject: `Invitation to ${organization}`,
    paragraphs: [`${invited_by} invites you to join ${organization}.`, 'To join, open this link.'],
    label: 'Accept the invitation',
    notes: [
      `The link works until ${dayOf(expires_at, 'en')}.`,
      'If you do not know what this is about, you can ignore this mail.',
    ],
  }),
};

type Words = { subject: string; paragraphs: string[]; label: string; notes: string[] };

/** The reader's time zone is not known; the zone is named so that nobody has to guess. */
function dayOf(instant: string, locale: Locale): string {
  return new Intl.DateTimeFormat(locale === 'ja' ? 'ja-JP' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Tokyo',
  })
    .format(new Date(instant))
    .concat(locale === 'ja' ? '（日本時間）' : ' (Japan time)');
}
