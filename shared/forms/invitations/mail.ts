import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import { newLinkToken } from '../../platform/links/links.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { type Composing, purpose } from '../../platform/mailer/purpose.ts';
import { pointless } from '../pointless-mails.ts';
import { invitationLinks, invitationUrl } from './links.ts';

/** Asks somebody to answer a form, by the address that is theirs alone. */
export const invitationMail = purpose({
  name: 'forms.invitation',
  title: { en: 'Invitation to answer a form', ja: 'フォームへの招待' },
  about: z.strictObject({ invitation_id: id('finv') }),
  compose: async ({ invitation_id }, composing) => {
    const { organization_id, locale, now, base_url } = composing;
    const asked = await askedOf(composing, invitation_id);
    if (!asked || asked.revoked_at !== null) return { pointless: pointless.taken_back };
    if (asked.expires_at !== null && asked.expires_at <= now.toISOString())
      return { pointless: pointless.expired };
    const until = asked.expires_at === null ? {} : { until: new Date(asked.expires_at) };
    const token = await newLinkToken(composing, invitationLinks, {
      organization_id,
      record_id: invitation_id,
      ...until,
    });
    const say = words[locale];
    return {
      from_name: asked.organization,
      to: [{ address: asked.email, ...(asked.name !== null && { name: asked.name }) }],
      locale,
      subject: say.subject(asked.title),
      paragraphs: [say.asked(asked.organization, asked.title)],
      action: {
        label: say.label,
        url: invitationUrl(`${base_url}/f/${asked.organization_slug}/${asked.slug}`, token),
        in_brackets: true,
      },
      notes: [say.own, say.unasked],
    };
  },
});

type Asked = {
  email: string;
  name: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  title: string;
  slug: string;
  organization: string;
  organization_slug: string;
};

/** The invitation as it is now, with what its form is called to the public; undefined where the form was removed. */
async function askedOf({ connection, organization_id }: Composing, id: string): Promise<Asked | undefined> {
  const [row] = await connection.query<Asked>(
    `SELECT invitation.email, invitation.name, invitation.expires_at, invitation.revoked_at,
        coalesce(version.title, form.title) AS title, form.slug, organization.name AS organization,
        organization.slug AS organization_slug
       FROM forms_invitations AS invitation
       JOIN forms_forms AS form ON form.organization_id = invitation.organization_id AND form.id = invitation.form_id
       LEFT JOIN forms_versions AS version ON version.organization_id = form.organization_id
        AND version.form_id = form.id AND version.number = form.published_version
       JOIN organizations AS organization ON organization.id = invitation.organization_id
      WHERE invitation.organization_id = $1 AND invitation.id = $2`,
    [organization_id, id],
  );
  return row;
}

type Words = {
  subject: (title: string) => string;
  asked: (organization: string, title: string) => string;
  label: string;
  own: string;
  unasked: string;
};

const words: Record<Locale, Words> = {
  ja: {
    subject: (title) => `ご回答のお願い：${title}`,
    asked: (organization, title) =>
      `${organization}より、フォーム「${title}」へのご回答をお願いします。次のリンクからご回答ください。`,
    label: 'フォームに回答する',
    own: 'このリンクはあなた専用です。ほかの方に転送しないでください。',
    unasked: 'お心当たりのない場合は、このメールを破棄してください。',
  },
  en: {
    subject: (title) => `Please answer: ${title}`,
    asked: (organization, title) =>
      `${organization} asks you to fill in the form "${title}". Open this link to answer.`,
    label: 'Answer the form',
    own: 'The link is yours alone. Please do not pass it on.',
    unasked: 'If you do not know what this is about, you can ignore this mail.',
  },
};
