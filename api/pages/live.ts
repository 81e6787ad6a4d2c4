import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from 'ghtml';
import type { Language, Text } from '../../shared/kernel/language.ts';
import { fixedText } from './answer.ts';

/** Where the script is that keeps the parts of a page fresh. */
export const LIVE_SCRIPT = '/pages/live.js';

export const liveScript = fixedText(
  'text/javascript',
  readFileSync(join(import.meta.dirname, 'live.js'), 'utf8'),
);

/** What the script says, by the names of its place's attributes. */
const words = {
  go_on: { en: 'Go on', ja: '再開' },
  hold: { en: 'Hold', ja: '止める' },
  held: { en: 'Held as it was', ja: '更新を止めています' },
  fresh: { en: 'Refreshes every 5 s', ja: '5秒ごとに更新' },
  silent: { en: 'No answer; what is shown is old', ja: '応答がありません。表示は以前のものです' },
} satisfies Record<string, Text>;

/**
 * Where the script puts what it says and the button that holds it. With `is_outage` the page gives way to the one that was asked
 * for as soon as there is an answer.
 */
export function liveControl(language: Language, { is_outage = false } = {}): string {
  const said = Object.entries(words).map(
    ([name, text]) => html` data-${name.replace('_', '-')}="${text[language]}"`,
  );
  return html`<span data-live-control!${is_outage ? ' data-until-answered' : ''}!${said}></span>`;
}
