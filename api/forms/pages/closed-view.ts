import { html } from 'ghtml';
import type { Accepting } from '../../../shared/forms/forms/record.ts';
import type { FormSettings } from '../../../shared/forms/settings/record.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import { timeIn } from './site.ts';
import { words } from './words.ts';

/** Why a form cannot be filled in now, and when it can. */
export function closedView(
  title: string,
  { reason }: Pick<Accepting, 'reason'>,
  { opens_at, time_zone }: Pick<FormSettings, 'opens_at' | 'time_zone'>,
  language: Language,
): string {
  const say = words[language];
  const opens =
    reason === 'not_open' && opens_at !== null
      ? html`<p>${say.opens_at(timeIn(time_zone, opens_at, language))}</p>`
      : '';
  return html`<h1>${title}</h1>
<p>${say.states[reason ?? 'closed']}</p>
!${opens}`;
}
