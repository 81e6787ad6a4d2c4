import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { form, hidden } from '../../pages/kit/fields.ts';
import { icons } from '../../pages/kit/icons.ts';
import type { LinkedVisit, Refused, View } from '../../pages/kit/page.ts';
import { toldOf } from './told.ts';
import { words } from './words.ts';

type Showing = { language: Language; refused: Refused | undefined };

/** Declining, for good and with a reason. It opens by itself when it was refused. */
export function declineForm(visit: LinkedVisit, { language, refused }: Showing): string {
  const say = words[language];
  const failed = refused?.form.get('action') === 'decline' ? refused : undefined;
  return html`<details class="other"!${failed ? ' open' : ''}><summary>${say.decline}</summary>
!${form(visit, {
    fields: [{ name: 'reason', label: say.reason, type: 'long', autocomplete: 'off' }],
    button: say.decline_now,
    refused: failed,
    told: toldOf(language, failed),
    note: html`!${hidden('action', 'decline')}<p>${say.decline_what}</p>`,
  })}
</details>`;
}

/** Passing the document to somebody else, where its sender allows it. */
export function forwardForm(visit: LinkedVisit, { language, refused }: Showing): string {
  const say = words[language];
  const failed = refused?.form.get('action') === 'forward' ? refused : undefined;
  return html`<details class="other"!${failed ? ' open' : ''}><summary>${say.forward}</summary>
!${form(visit, {
    fields: [
      { name: 'name', label: say.forward_name, autocomplete: 'off' },
      { name: 'email', label: say.forward_email, type: 'email', autocomplete: 'off' },
    ],
    button: say.forward_now,
    refused: failed,
    told: toldOf(language, failed),
    note: html`!${hidden('action', 'forward')}<p>${say.forward_what}</p>`,
  })}
</details>`;
}

/** What is told to who has passed the document on: the link that they came by is dead. */
export function forwardedView(
  language: Language,
  { title, organization_name }: { title: string; organization_name: string },
): View {
  const say = words[language].forwarded;
  const body = html`<div class="signing"><h1>${title}</h1>
<div class="status" role="status">!${icons.done}<div><h2>${say.title}</h2>
<p>${say.text}</p></div></div></div>`;
  return { title, body, language, frame: { name: organization_name, head: '' } };
}
