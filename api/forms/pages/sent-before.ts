import { html } from 'ghtml';
import { receiptUrl } from '../../../shared/forms/responses/links.ts';
import { responseOfNonce } from '../../../shared/forms/responses/repeated.ts';
import { signedFormToken } from '../../../shared/forms/tokens/open.ts';
import type { Form, Visit } from '../../pages/kit/page.ts';
import type { Filled } from './fill.ts';
import { words } from './words.ts';

/** Where to go on who sends a form again with other answers: to what was sent, or to the form anew; HTML. */
export async function sentBefore(
  { steps }: Visit,
  form: Form,
  { language, action }: Pick<Filled, 'language' | 'action'>,
): Promise<string> {
  const say = words[language];
  const receipt = await steps.read(async (reader) => {
    const token = await signedFormToken(reader, form.get('form_token'));
    const before = token && (await responseOfNonce(reader, token));
    return before ? receiptUrl(reader, before, steps.context.settings.baseUrl) : null;
  });
  const open = receipt === null ? '' : html`<a href="${new URL(receipt).pathname}">${say.edit_sent}</a> · `;
  return html`<p>!${open}<a href="${action}">${say.fresh}</a></p>`;
}
