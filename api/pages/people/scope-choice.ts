import { html } from 'ghtml';
import { scopes } from '../../../shared/domains.ts';
import { allows, type Grant, servesAllDomains } from '../../../shared/kernel/scope.ts';
import { endpoints } from '../../endpoints.ts';
import { scopesOf } from '../../http/access.ts';
import type { Language } from '../kit/language.ts';
import type { Refused } from '../kit/page.ts';
import { fieldErrorSentence } from '../kit/words.ts';
import { accountWords } from './account-words.ts';
import { sentenceOfScope } from './scope-words.ts';

/**
 * The scopes that somebody may give a key: of domains those that a call asks for, so none of what does not exist yet.
 * `jobs:read` comes with any scope.
 */
export function offeredScopes(granted: readonly Grant[]): readonly Grant[] {
  const asked = new Set<string>(endpoints.flatMap(scopesOf));
  const offered = scopes.filter(
    (scope) => allows(granted, scope) && (servesAllDomains(scope) ? scope !== 'jobs:read' : asked.has(scope)),
  );
  return granted.includes('*') ? [...offered, '*'] : offered;
}

/** The choice of a key's scopes, each with what it allows. Nothing is ticked that was not ticked before. */
export function scopeChoice(
  language: Language,
  offered: readonly Grant[],
  refused: Refused | undefined,
): string {
  const say = accountWords[language];
  const chosen = refused?.form.all('scopes') ?? [];
  const isFaulty = fieldErrorSentence(refused, 'scopes', language) !== null;
  const boxes = offered.map((scope) => {
    const id = `scope-${scope === '*' ? 'all' : scope.replaceAll(':', '-')}`;
    const state = chosen.includes(scope) ? 'checked' : '';
    return html`<p class="choice"><input type="checkbox" id="${id}" name="scopes" value="${scope}" aria-describedby="${id}-allows" !${state}>
<label for="${id}"><code>${scope}</code></label> <span class="quiet" id="${id}-allows">${sentenceOfScope(scope, language)}</span></p>`;
  });
  const described = isFaulty ? 'scopes-hint scopes-fault' : 'scopes-hint';
  return html`<fieldset class="choices" aria-describedby="${described}"><legend>${say.scopes}</legend>
<p class="quiet" id="scopes-hint">${say.scopes_hint}</p>
!${isFaulty ? html`<p class="fault" id="scopes-fault">${say.scopes_fault}</p>` : ''}
!${boxes.join('\n')}
</fieldset>`;
}
