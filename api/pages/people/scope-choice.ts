import { html } from 'ghtml';
import { scopes } from '../../../shared/domains.ts';
import { allows, type Grant, servesAllDomains } from '../../../shared/kernel/scope.ts';
import { endpoints } from '../../endpoints.ts';
import { scopesOf } from '../../http/access.ts';
import type { Language } from '../kit/language.ts';
import type { Refused } from '../kit/page.ts';
import { fieldErrorSentence } from '../kit/words.ts';
import { accountWords } from './account-words.ts';
import { groupOfScope, labelOfScope, sentenceOfScope } from './scope-words.ts';

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
  const groups = Map.groupBy(offered, (scope) => groupOfScope(scope, language));
  const boxes = [...groups].map(
    ([group, own]) => html`<fieldset class="group"><legend>${group}</legend>
!${own.map((scope) => choiceOf(scope, language, chosen.includes(scope))).join('\n')}
</fieldset>`,
  );
  const described = isFaulty ? 'scopes-hint scopes-fault' : 'scopes-hint';
  return html`<fieldset class="choices" aria-describedby="${described}"><legend>${say.scopes}</legend>
<p class="quiet" id="scopes-hint">${say.scopes_hint}</p>
!${isFaulty ? html`<p class="fault" id="scopes-fault">${say.scopes_fault}</p>` : ''}
!${boxes.join('\n')}
</fieldset>`;
}

/** One scope: how people call it, what it allows, and how programs call it. */
function choiceOf(scope: Grant, language: Language, is_chosen: boolean): string {
  const id = `scope-${scope === '*' ? 'all' : scope.replaceAll(':', '-')}`;
  return html`<p class="choice"><input type="checkbox" id="${id}" name="scopes" value="${scope}" aria-describedby="${id}-allows" !${is_chosen ? 'checked' : ''}>
<label for="${id}">${labelOfScope(scope, language)} <code class="quiet">${scope}</code></label> <span class="quiet" id="${id}-allows">${sentenceOfScope(scope, language)}</span></p>`;
}
