import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { alert, type Field, form, hidden } from '../../pages/kit/fields.ts';
import type { LinkedVisit, Refused } from '../../pages/kit/page.ts';
import type { Auth, SigningShown } from './shown.ts';
import { toldOf } from './told.ts';
import { words } from './words.ts';

/** Minutes that a mailed code works. */
const CODE_MINUTES = 10;

/** What a document asks for before it opens, by the way in which its signer is known. */
export const asksFor: Record<Auth, { code: boolean; mailed: boolean }> = {
  none: { code: false, mailed: false },
  access_code: { code: true, mailed: false },
  email_otp: { code: false, mailed: true },
  access_code_and_otp: { code: true, mailed: true },
};

type Opening = { language: Language; signing: SigningShown; refused: Refused | undefined };

/**
 * The way in: a button, with the codes that the document asks for. A code is mailed by a button alone, which scanners of mails do
 * not press; until it is, that button stands first.
 */
export function accessForm(visit: LinkedVisit, { language, signing, refused }: Opening): string {
  const say = words[language].open;
  const asked = asksFor[signing.auth];
  const action = refused?.form.get('action');
  const isSent = visit.query('code') === 'sent' || action === 'open';
  const told = toldOf(language, refused);
  const failed = action === 'open' ? refused : undefined;
  const entering = form(visit, {
    fields: codeFields(language, signing),
    button: say.button,
    refused: failed,
    told,
    note: hidden('action', 'open'),
  });
  const inner = !asked.mailed
    ? html`!${asked.code ? '' : html`<p>${say.plain}</p>`}!${entering}`
    : isSent
      ? html`!${entering}!${codeForm(visit, say.send_again, 'plain')}`
      : html`<p>${say.send_first(signing.signer.email)}</p>
!${codeForm(visit, say.send)}<details class="other"><summary>${say.have_code}</summary>!${entering}</details>`;
  return html`<section class="opening" aria-labelledby="opening">
<h2 id="opening">${say.title}</h2>
!${action === 'send_code' ? alert(refused, language, told) : ''}
!${inner}
</section>`;
}

function codeFields(language: Language, { auth, signer }: SigningShown): Field[] {
  const say = words[language].open;
  const asked = asksFor[auth];
  const fields: Field[] = [];
  if (asked.code) {
    fields.push({
      name: 'access_code',
      label: say.code,
      type: 'password',
      autocomplete: 'off',
      hint: say.code_hint,
    });
  }
  if (asked.mailed) {
    const hint = say.mailed_hint(signer.email, CODE_MINUTES);
    fields.push({
      name: 'otp',
      label: say.mailed,
      autocomplete: 'one-time-code',
      inputmode: 'numeric',
      hint,
    });
  }
  return fields;
}

function codeForm(visit: LinkedVisit, label: string, look = ''): string {
  return html`<form method="post" action="${visit.link(visit.path)}">!${hidden('action', 'send_code')}<p><button type="submit" class="${look}">${label}</button></p></form>`;
}
