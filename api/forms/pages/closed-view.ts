import { html } from 'ghtml';
import type { GuestAccepting } from '../../../shared/forms/forms/record.ts';
import type { FormSettings } from '../../../shared/forms/settings/record.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import { languageFor } from '../../pages/kit/language-for.ts';
import type { View, Visit } from '../../pages/kit/page.ts';
import { titleOf } from './fill.ts';
import { framed } from './frame.ts';
import type { Opened } from './opened.ts';
import { timeIn } from './site.ts';
import { words } from './words.ts';

/** Why the form cannot be filled in: 200, since that is all there is to say. */
export function closed(visit: Visit, { answered, accepting, site, compiled }: Opened): View {
  const { schema } = compiled;
  const language = languageFor(visit, schema.locale);
  const title = titleOf(schema, answered.version!.title, language);
  const look = { ...site, embed_origins: answered.settings.embed_origins, schema };
  const body = closedView(title, accepting, answered.settings, language);
  const invitation = visit.query('i');
  if (invitation === '') return framed(look, { title, body, language });
  return framed(look, { title, body, language, kept: { i: invitation }, is_indexed: false });
}

function closedView(
  title: string,
  { reason }: Pick<GuestAccepting, 'reason'>,
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
