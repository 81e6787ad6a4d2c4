import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { consentText } from '../../../shared/sign/guests/consent.ts';
import { alert, hidden, summaryOf, type Wrong } from '../../pages/kit/fields.ts';
import type { LinkedVisit, Refused } from '../../pages/kit/page.ts';
import { labelOf } from './filling.ts';
import { type Group, groupsOf, isDrawn } from './groups.ts';
import { input } from './inputs.ts';
import type { FieldShown, Granted, SigningShown } from './shown.ts';
import { waysOf } from './signature.ts';
import { faultOf, toldOf } from './told.ts';
import { words } from './words.ts';

/** A document that its signer may fill in and sign. */
export type Signing = {
  language: Language;
  signing: SigningShown;
  granted: Granted;
  refused: Refused | undefined;
};

/** The form in which a document is filled in and signed: its fields in reading order, the consent, and one button. */
export function signForm(visit: LinkedVisit, shown: Signing): string {
  const { language, signing, granted } = shown;
  const say = words[language];
  const { role, id, name } = signing.signer;
  const groups = groupsOf(granted, id);
  const refused = shown.refused?.form.get('action') === 'sign' ? shown.refused : undefined;
  const inputs = groups.map((group) => {
    const fault = faultOf(language, refused, idsOf(group));
    return input({ language, group, sent: refused?.form, fault, signer: name });
  });
  return html`<section class="panel" aria-labelledby="fill">
<h2 id="fill">${say.fill[role]}</h2>
<form method="post" action="${visit.link(visit.path)}" enctype="multipart/form-data" class="sign" novalidate>
!${hidden('action', 'sign')}!${hidden('document_sha256', granted.file.sha256)}!${hidden('values_sha256', granted.values_sha256)}!${hidden('consent_version', granted.consent.version)}
!${refused ? summaryOf(alert(refused, language, toldOf(language, refused)), wrongOf(shown, groups, refused)) : ''}
!${groups.length === 0 ? html`<p>${say.no_fields}</p>` : ''}
!${inputs.join('\n')}
!${dates(language, granted.fields, id)}
!${consent(shown, refused)}
!${groups.length === 0 ? '' : html`<p class="progress" data-script hidden data-left="${say.left('#')}" data-done="${say.all_done}"><span aria-live="polite"></span> <button type="button" class="plain">${say.next}</button></p>`}
<p><button type="submit">${say.sign[role]}</button></p>
</form>
</section>`;
}

function idsOf({ fields }: Group): string[] {
  return fields.map(({ id }) => id);
}

function wrongOf({ language }: Signing, groups: readonly Group[], refused: Refused): Wrong[] {
  const say = words[language];
  const wrong = groups.flatMap((group) => {
    const sentence = faultOf(language, refused, idsOf(group));
    return sentence === null
      ? []
      : [{ place: firstInput(group), label: labelOf(say, group.field), sentence }];
  });
  const isUnagreed = lacksConsent(refused);
  return isUnagreed
    ? [...wrong, { place: 'consent', label: say.consent, sentence: say.faults['consent']! }]
    : wrong;
}

/** Where a group begins: a signature with the choice of its ways, as its other parts may be hidden. */
function firstInput({ name, field }: Group): string {
  return isDrawn(field) ? `${name}-way-${waysOf(field)[0]!}` : name;
}

function lacksConsent({ failure }: Refused): boolean {
  return failure.details.errors?.some(({ path }) => path === '/consent_version') ?? false;
}

/** The days that the server fills in: told, so that nobody looks for their inputs. */
function dates(language: Language, fields: readonly FieldShown[], signer_id: string): string {
  const say = words[language];
  const own = fields.filter(({ type, signer }) => type === 'date' && signer === signer_id);
  if (own.length === 0) return '';
  const byLabel = Map.groupBy(own, (field) => labelOf(say, field));
  const lines = [...byLabel].map(([label, fields]) => {
    const places = fields.map(({ id, page, x, y, w, h }) => ({ id, page, x, y, w, h }));
    return html`<p class="quiet" data-type="date" data-label="${label}" data-places="${JSON.stringify(places)}">${label}: ${say.date_hint}</p>`;
  });
  return lines.join('\n');
}

/** What the signer agrees to. It is asked for anew after every refusal that changed what is signed. */
function consent({ language, granted }: Signing, refused: Refused | undefined): string {
  const say = words[language];
  const changed = ['document_changed', 'consent_changed'].includes(refused?.failure.code ?? '');
  const isOn = refused?.form.has('consent') === true && !changed;
  const fault = refused && lacksConsent(refused) ? say.faults['consent']! : null;
  return html`<div class="consent"><p>${consentText(granted.consent.version, language)}</p>
<p class="choice"><input type="checkbox" id="consent" name="consent" value="yes" required!${isOn ? ' checked' : ''}!${fault ? ' aria-invalid="true" aria-describedby="consent-fault"' : ''}><label for="consent">${say.consent}</label>!${fault ? html`<span class="fault" id="consent-fault">${fault}</span>` : ''}</p></div>`;
}
