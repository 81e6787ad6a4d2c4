import { html } from 'ghtml';
import { hidden } from '../../pages/kit/fields.ts';
import type { Form } from '../../pages/kit/page.ts';
import { type Filling, notesOf, shownLabel } from './filling.ts';
import type { FieldShown } from './shown.ts';
import { type Say, words } from './words.ts';

/** How a signature can be given: a stamp is made of letters, where a name would be typed or drawn. */
export type Way = 'typed' | 'drawn' | 'image' | 'text';

/** The ways that a type takes, the first chosen unless said. */
export function waysOf({ type }: FieldShown): readonly Way[] {
  return type === 'stamp' ? ['text', 'image'] : ['typed', 'drawn', 'image'];
}

/** The names of the inputs that a signature consists of. */
export function partsOf(
  name: string,
): Record<'way' | 'text' | 'strokes' | 'placed' | 'image' | 'kept', string> {
  return {
    way: `${name}-way`,
    text: name,
    strokes: `${name}-strokes`,
    placed: `${name}-placed`,
    image: `${name}-image`,
    kept: `${name}-kept`,
  };
}

/** The image that a form holds in base64: one that was chosen now, else that which the form kept; empty for none. */
export function imageIn(form: Form, name: string): string {
  const names = partsOf(name);
  return form.file(names.image)?.toString('base64') ?? form.get(names.kept);
}

/** A signature: typed, drawn where a script runs, or a picture. Each way has its part, shown while it is chosen. */
export function signatureInput(filling: Filling): string {
  const { group, language, sent } = filling;
  const { name, field, fields } = group;
  const say = words[language];
  const { notes, described } = notesOf(filling, placesText(say, fields));
  const names = partsOf(name);
  const given = givenOf(field.value);
  const ways = waysOf(field);
  const chosen = sent?.get(names.way) || given.kind || ways[0]!;
  const choices = ways.map((way) => {
    const id = `${name}-way-${way}`;
    return html`<span class="way-of"!${way === 'drawn' ? ' hidden data-script' : ''}><input type="radio" id="${id}" name="${names.way}" value="${way}"!${way === chosen ? ' checked' : ''}><label for="${id}">${say.kinds[way]}</label></span>`;
  });
  return html`<fieldset class="choices signature" data-name="${name}"!${described}><legend>${shownLabel(say, field)}</legend>
!${notes}
<div class="ways-of">!${choices.join('')}</div>
!${typedPart(filling, say, sent?.get(names.text) ?? given.text)}
!${ways.includes('drawn') ? drawnPart(say, name, sent?.get(names.strokes) ?? given.strokes) : ''}
!${imagePart(say, name, sent ? imageIn(sent, name) : '')}
</fieldset>`;
}

function placesText(say: Say, fields: readonly FieldShown[]): string {
  const pages = [...new Set(fields.map(({ page }) => page))];
  return fields.length === 1 ? say.one_place(pages[0]!) : say.places(fields.length, pages.join(', '));
}

/** What was given before, as the inputs hold it. */
function givenOf(value: unknown): { kind: string; text: string; strokes: string } {
  const {
    kind = '',
    text = '',
    strokes = null,
  } = (value ?? {}) as {
    kind?: string;
    text?: string;
    strokes?: unknown;
  };
  return { kind, text, strokes: strokes === null ? '' : JSON.stringify(strokes) };
}

function typedPart({ group: { name, field }, fault }: Filling, say: Say, text: string): string {
  const type = field.type as 'signature' | 'initials' | 'stamp';
  const way = type === 'stamp' ? 'text' : 'typed';
  const autocomplete = type === 'signature' ? 'name' : 'off';
  return html`<p class="field part" data-way="${way}"><label for="${name}">${say.typed[type]}</label>
<input type="text" id="${name}" name="${name}" value="${text}" autocomplete="${autocomplete}"!${type === 'stamp' ? ' maxlength="4"' : ''}!${fault ? ' aria-invalid="true"' : ''}></p>`;
}

/** The pad appears with the script that draws on it; it writes what was drawn into the field. */
function drawnPart(say: Say, name: string, strokes: string): string {
  const names = partsOf(name);
  return html`<div class="part pad" data-way="drawn" data-script hidden>
<p class="quiet">${say.drawn}<br>${say.drawn_keys}</p>
<canvas width="600" height="200" aria-hidden="true"></canvas>
!${hidden(names.strokes, strokes)}!${hidden(names.placed, '')}
<p class="pad-ways"><button type="button" class="plain" data-pad="undo">${say.undo}</button> <button type="button" class="plain" data-pad="clear">${say.clear}</button></p>
</div>`;
}

function imagePart(say: Say, name: string, kept: string): string {
  const names = partsOf(name);
  return html`<p class="field part" data-way="image"><label for="${names.image}">${say.image}</label>
<span class="quiet">${say.image_hint}!${kept ? html`<br>${say.image_kept}` : ''}</span>
<input type="file" id="${names.image}" name="${names.image}" accept="image/png,image/jpeg">!${kept ? hidden(names.kept, kept) : ''}</p>`;
}
