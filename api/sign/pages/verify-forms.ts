import { html } from 'ghtml';
import { alert, form, hidden } from '../../pages/kit/fields.ts';
import type { Refused, Visit } from '../../pages/kit/page.ts';
import { type Sought, type Verified, verifiedPart } from './verified.ts';
import { verifyWords } from './verify-words.ts';

/** What the page shows beside its forms. */
export type Shown = { verified: { found: Verified; sought: Sought } | null; refused: Refused | undefined };

/** The page that verifies: the result where there is one, then a form for a file, and one for a hash. */
export function verifyBody(visit: Visit, { verified, refused }: Shown): string {
  const { language } = visit;
  const say = verifyWords[language];
  return html`<div class="signing verifying">
<header><h1>${say.title}</h1>
<p>${say.what}</p></header>
!${verified === null ? '' : verifiedPart(language, verified.found, verified.sought)}
!${fileForm(visit, refused)}
!${hashForm(visit, refused)}
</div>`;
}

function fileForm(visit: Visit, refused: Refused | undefined): string {
  const say = verifyWords[visit.language];
  const failed = refused?.form.get('by') === 'file' ? refused : undefined;
  const told = failed?.failure.code === 'unavailable' ? say.busy : say.faults.file;
  return html`<section class="opening" aria-labelledby="by-file">
<h2 id="by-file">${say.by_file}</h2>
!${alert(failed, visit.language, told)}
<form method="post" action="${visit.link(visit.path)}" enctype="multipart/form-data">!${hidden('by', 'file')}
<p class="field"><label for="file">${say.file}</label>
<input type="file" id="file" name="file" accept="application/pdf,.pdf" required></p>
<p><button type="submit">${say.check}</button></p></form>
</section>`;
}

function hashForm(visit: Visit, refused: Refused | undefined): string {
  const say = verifyWords[visit.language];
  const failed = refused?.form.get('by') === 'sha256' ? refused : undefined;
  const field = {
    name: 'sha256',
    label: say.hash,
    autocomplete: 'off',
    hint: say.hash_hint,
  };
  return html`<section class="opening" aria-labelledby="by-hash">
<h2 id="by-hash">${say.by_hash}</h2>
!${form(visit, { fields: [field], button: say.check, refused: failed, told: failed && say.faults.sha256, note: hidden('by', 'sha256') })}
</section>`;
}
