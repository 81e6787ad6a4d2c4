import { html } from 'ghtml';
import { Failure } from '../../../shared/kernel/failure.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import { unsubscribeLinks } from '../../../shared/mail/guests/links.ts';
import { guestOf } from '../../../shared/mail/guests/recipient.ts';
import { type MailSubscription, subscriptionOf } from '../../../shared/mail/guests/subscription.ts';
import { leaveLists, unsubscribeAll } from '../../../shared/mail/guests/unsubscribe.ts';
import { mailSenderOf } from '../../../shared/mail/settings/queries.ts';
import { alert, hidden } from '../../pages/kit/fields.ts';
import { icons } from '../../pages/kit/icons.ts';
import { languageFor } from '../../pages/kit/language-for.ts';
import type { Bare, Form, Go, LinkedPage, LinkedVisit, Refused, View } from '../../pages/kit/page.ts';
import { unsubscribeWords as words } from './words.ts';

/** What a mail program sends by itself (RFC 8058). */
const ONE_CLICK = { field: 'List-Unsubscribe', value: 'One-Click' };

/**
 * Where the holder of a mail stops all mail, or that of a list. Opening it changes nothing: robots open links too. Mail programs
 * send its form by themselves, with anybody's cookies or none.
 */
export const unsubscribePage: LinkedPage = {
  path: '/m/u/:token',
  opened_by: { purpose: unsubscribeLinks, for_guests: true },
  hears: ['Accept-Language'],
  takes_files: true,
  is_for_programs: true,
  show,
  submit,
};

async function submit(visit: LinkedVisit, form: Form): Promise<Go | Bare> {
  const { opened, steps } = visit;
  const { organization_id, record_id } = opened;
  const acting = { organization_id, may_change_nothing: true };
  if (form.get(ONE_CLICK.field) === ONE_CLICK.value) {
    await steps.write(acting, (work) => unsubscribeAll(work, record_id, 'one_click'));
    return { status: 200, type: null, content: '' };
  }
  const list_ids = form.all('list_id');
  if (form.get('all') === '1') await steps.write(acting, (work) => unsubscribeAll(work, record_id, 'page'));
  else if (list_ids.length > 0) await steps.write(acting, (work) => leaveLists(work, record_id, list_ids));
  else throw new Failure('validation_failed');
  return { to: visit.link(visit.path) };
}

async function show(visit: LinkedVisit, refused?: Refused): Promise<View> {
  const { subscription, sender, locale, is_test } = await toldTo(visit);
  const language = languageFor(visit, locale);
  const say = words[language];
  const { email, status, lists } = subscription;
  const isDone = status === 'unsubscribed';
  const body = html`<h1>${isDone ? say.done_title : say.title}</h1>
!${alert(refused, language)}
!${is_test ? html`<p class="notice">${say.test}</p>` : ''}
<p !${isDone ? 'role="status"' : ''}>${isDone ? say.done(sender, email) : say.ask(sender, email)}</p>
!${isDone ? '' : allForm(visit, language)}
!${isDone || lists.length === 0 ? '' : listsOf(visit, language, lists)}`;
  const frame = { name: sender, head: '' };
  return { title: isDone ? say.done_title : say.title, body, language, frame };
}

function allForm({ link, path }: LinkedVisit, language: Language): string {
  return html`<form method="post" action="${link(path)}">!${hidden('all', '1')}
<p><button type="submit">${words[language].all}</button></p></form>`;
}

function listsOf(visit: LinkedVisit, language: Language, lists: MailSubscription['lists']): string {
  const say = words[language];
  return html`<h2>${say.lists}</h2>
<p>${say.lists_note}</p>
<ul class="subscriptions">
!${lists.map((list) => html`<li>!${listRow(visit, language, list)}</li>`).join('\n')}
</ul>`;
}

function listRow(
  { link, path }: LinkedVisit,
  language: Language,
  { id, name, subscribed }: MailSubscription['lists'][number],
): string {
  const say = words[language];
  if (!subscribed) return html`<span>${name}</span> <span class="quiet">!${icons.done} ${say.left}</span>`;
  return html`<span>${name}</span>
<form method="post" action="${link(path)}" class="inline">!${hidden('list_id', id)}<button type="submit" class="plain" aria-label="${`${say.leave}: ${name}`}">${say.leave}</button></form>`;
}

function toldTo({ steps, opened }: LinkedVisit) {
  return steps.read(async (everywhere) => {
    const { organization_id, record_id } = opened;
    const reader = { ...everywhere, organization_id };
    const guest = await guestOf(reader, record_id);
    const subscription = await subscriptionOf(reader, guest);
    const sender = await mailSenderOf(reader);
    const is_test = guest.recipient_id === null;
    return { subscription, sender, locale: guest.locale, is_test };
  });
}
