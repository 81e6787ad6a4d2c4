import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import type { Visit } from '../../pages/kit/page.ts';
import { type PlaceType, placeName } from './about.ts';
import { address } from './address.ts';
import type { Formats } from './format.ts';
import { words } from './words.ts';

type TypeListed = {
  title: string;
  slug: string;
  description: string | null;
  duration_minutes: number;
  locations: readonly { type: PlaceType; label: string | null }[];
};

type Listing = {
  visit: Visit;
  language: Language;
  formats: Pick<Formats, 'duration'>;
  organization: { name: string };
  types: readonly TypeListed[];
};

/** What guests can book with an organization: each event type is a link to its page. */
export function listed({ visit, language, formats, organization, types }: Listing): string {
  const say = words[language];
  const items = types.map(({ title, slug, description, duration_minutes, locations }) => {
    const [first] = locations;
    const facts = [formats.duration(duration_minutes), ...(first ? [placeName(language, first)] : [])];
    return html`<li><a href="${address(visit, {}, `${visit.path}/${slug}`)}"><h2>${title}</h2>
<p class="quiet">${facts.join(' · ')}</p>
!${description === null ? '' : html`<p class="short">${description}</p>`}</a></li>`;
  });
  return html`<section class="listed">
<h1>${organization.name}</h1>
<p class="quiet">${types.length > 0 ? say.types : say.no_types}</p>
<ul>!${items.join('\n')}</ul>
</section>`;
}
