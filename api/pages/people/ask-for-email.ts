import { html } from 'ghtml';
import { z } from 'zod';
import { accountEmail } from '../../../shared/platform/access/names.ts';
import type { Steps } from '../../http/steps.ts';
import { form, parsed } from '../kit/fields.ts';
import type { Language } from '../kit/language.ts';
import type { Page } from '../kit/page.ts';
import { emailField } from './sign-in.ts';

type Words = { title: string; ask: string; send: string; sent_title: string; sent: string };

/** A page that asks for an address and sends a link there. It says the same whether the address has an account or not. */
export function askForEmailPage(
  path: string,
  say: Record<Language, Words>,
  send: (steps: Steps, email: string) => Promise<unknown>,
): Page {
  return {
    path,
    show: async (visit, refused) => {
      const { title, ask, send: button } = say[visit.language];
      const fields = [emailField(visit.language)];
      const note = html`<p>${ask}</p>`;
      return { title, body: html`<h1>${title}</h1>!${form(visit, { fields, button, refused, note })}` };
    },
    submit: async ({ steps, language }, sent) => {
      const { email } = parsed(z.object({ email: accountEmail() }), { email: sent.get('email') });
      await send(steps, email);
      const { sent_title, sent: told } = say[language];
      return { title: sent_title, body: html`<h1>${sent_title}</h1><p role="status">${told}</p>` };
    },
  };
}
