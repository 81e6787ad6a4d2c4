import { html } from 'ghtml';
import type { ShownEnding } from '../../../shared/forms/responses/answered.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import { paragraphs, textIn } from './texts.ts';
import { words } from './words.ts';

/** What is said once a form was sent: its ending's text, or the built-in thanks. */
export function endingView(ending: ShownEnding | null, language: Language): { title: string; body: string } {
  const say = words[language];
  const title = ending === null ? say.thanks : textIn(ending.title, language);
  const text = ending === null ? say.thanks_text : ending.body && textIn(ending.body, language);
  const link = ending?.redirect_url;
  return {
    title,
    body: html`<h1>${title}</h1>
!${text ? paragraphs(text) : ''}
!${link ? html`<p><a href="${link}" rel="noreferrer">${new URL(link).host}</a></p>` : ''}`,
  };
}
