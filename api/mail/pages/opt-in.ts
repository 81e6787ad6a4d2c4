import { html } from 'ghtml';
import { notFound } from '../../../shared/kernel/failure.ts';
import { mailListById } from '../../../shared/mail/lists/queries.ts';
import { confirmOptIn } from '../../../shared/mail/opt-ins/confirm.ts';
import { optInLinks } from '../../../shared/mail/opt-ins/links.ts';
import { findOptIn } from '../../../shared/mail/opt-ins/queries.ts';
import { mailSenderOf } from '../../../shared/mail/settings/queries.ts';
import { form } from '../../pages/kit/fields.ts';
import type { LinkedPage, LinkedVisit, Refused, View } from '../../pages/kit/page.ts';

const say = {
  ja: {
    title: 'メール配信の確認',
    ask: (organization: string, list: string, email: string) =>
      `${organization}のメール「${list}」を ${email} に配信します。よろしければボタンを押してください。`,
    confirm: '配信を希望する',
    done_title: '配信を登録しました',
    done: (organization: string, list: string) => `${organization}のメール「${list}」をお送りします。`,
  },
  en: {
    title: 'Confirm your subscription',
    ask: (organization: string, list: string, email: string) =>
      `Mail of ${organization}, “${list}”, will be sent to ${email}. If you want it, press the button.`,
    confirm: 'Send me this mail',
    done_title: 'Your subscription is confirmed',
    done: (organization: string, list: string) => `You will get mail of ${organization}: “${list}”.`,
  },
};

const advice = {
  ja: 'お手数ですが、もう一度配信をお申し込みください。',
  en: 'Please ask for the mail again.',
};

/** Where the holder of an address confirms that they want mail. Opening it changes nothing: robots open links too. */
export const optInPage: LinkedPage = {
  path: '/m/s/:token',
  opened_by: { purpose: optInLinks, for_guests: true, advice },
  show,
  submit: async (visit) => {
    const { steps, opened } = visit;
    const acting = { organization_id: opened.organization_id, may_change_nothing: true };
    await steps.write(acting, (work) => confirmOptIn(work, opened.record_id));
    return show(visit);
  },
};

async function show(visit: LinkedVisit, refused?: Refused): Promise<View> {
  const { optIn, organization, list } = await toldTo(visit);
  const language = visit.asked_language ?? optIn.locale;
  const words = say[language];
  const frame = { name: organization, head: '' };
  if (optIn.confirmed_at !== null) {
    const { done_title, done } = words;
    const body = html`<h1>${done_title}</h1><p role="status">${done(organization, list)}</p>`;
    return { title: done_title, body, language, frame };
  }
  const agreed = optIn.text === null ? '' : html`<blockquote>${optIn.text}</blockquote>`;
  const note = html`<p>${words.ask(organization, list, optIn.email)}</p>!${agreed}`;
  const body = html`<h1>${words.title}</h1>
!${form({ ...visit, language }, { fields: [], button: words.confirm, refused, note })}`;
  return { title: words.title, body, language, frame };
}

function toldTo({ steps, opened }: LinkedVisit) {
  return steps.read(async ({ connection, ...reader }) => {
    const { organization_id, record_id } = opened;
    const own = { ...reader, connection, organization_id };
    const optIn = await findOptIn(own, record_id);
    if (!optIn) throw notFound();
    const organization = await mailSenderOf(own);
    const { name: list } = await mailListById(own, optIn.list_id);
    return { optIn, organization, list };
  });
}
