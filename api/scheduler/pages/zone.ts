import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { hidden } from '../../pages/kit/fields.ts';
import { icons } from '../../pages/kit/icons.ts';
import type { Visit } from '../../pages/kit/page.ts';
import { type Asked, kept as keptTexts } from './address.ts';
import type { Formats } from './format.ts';
import { words } from './words.ts';

/** The names of the zones that are offered, by the continent that they begin with. */
const CONTINENTS = Map.groupBy(Intl.supportedValuesOf('timeZone'), (name) => name.split('/')[0]!);

type Choosing = {
  visit: Visit;
  language: Language;
  formats: Formats;
  kept: Partial<Asked> & Record<string, string | number | null>;
};

/** Says in which zone times are shown, and lets the visitor choose another one: a form, so that it works without a script. */
export function zoneForm({ visit, language, formats, kept }: Choosing): string {
  const say = words[language];
  const { time_zone, zone_name } = formats;
  const { time_zone: _, ...others } = keptTexts({ lang: visit.asked_language, ...kept });
  const fields = Object.entries(others).map(([name, value]) => hidden(name, value));
  return html`<details class="zone"><summary>!${icons.globe}<span>${say.times_in(zone_name)} <span class="change">${say.other_zone}</span></span></summary>
<form method="get" action="${visit.path}">!${fields.join('')}
<p class="field"><label for="time_zone">${say.time_zone}</label>
<select id="time_zone" name="time_zone" autocomplete="off">!${optionsOf(time_zone)}</select></p>
<p><button type="submit" class="plain">${say.show}</button></p>
</form></details>`;
}

function optionsOf(chosen: string): string {
  const isListed = [...CONTINENTS.values()].some((names) => names.includes(chosen));
  const groups = [...CONTINENTS].map(([continent, names]) => {
    const options = names.map((name) => option(name, chosen));
    return html`<optgroup label="${continent}">!${options.join('')}</optgroup>`;
  });
  return `${isListed ? '' : option(chosen, chosen)}${groups.join('')}`;
}

function option(name: string, chosen: string): string {
  return html`<option value="${name}"!${name === chosen ? ' selected' : ''}>${name.replaceAll('_', ' ')}</option>`;
}
