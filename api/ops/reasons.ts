import { html } from 'ghtml';
import { domains } from '../../shared/domains.ts';
import { reasonsOf } from '../../shared/platform/operators/reasons.ts';
import type { Html } from './parts.ts';
import type { Speech } from './speech.ts';

/** Why something failed, in both languages where the service itself says it, by the English that is kept. */
export const reasonText = reasonsOf(domains);

/**
 * Why something failed, in their language where the service itself says it; what a foreign server said stays as it is. The
 * kept English is its title: it is what the log has, and what lists are searched by.
 */
export function reasonIn({ say }: Speech, kept: string | null): Html {
  if (kept === null) return '–';
  const shown = say(reasonText(kept));
  return shown === kept ? html`${kept}` : html`<span title="${kept}">${shown}</span>`;
}
