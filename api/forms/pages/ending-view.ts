import { html } from 'ghtml';
import type { Ending, Schema } from '../../../shared/forms/schema/schema.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import { paragraphs, textIn } from './texts.ts';
import { words } from './words.ts';

/** The ending of that ID; null for the built-in thanks. */
export function endingOf({ endings = [] }: Schema, id: string | null): Ending | null {
  return endings.find((each) => each.id === id) ?? null;
}

/** What is said once a form was sent: its ending's text, or the built-in thanks. */
export function endingView(ending: Ending | null, language: Language): { title: string; body: string } {
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
