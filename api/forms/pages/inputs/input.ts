import { html } from 'ghtml';
import type { Field } from '../../../../shared/forms/schema/schema.ts';
import { paragraphs } from '../texts.ts';
import { choice, consent, dropdown, marks, multiChoice, yesNo } from './choices.ts';
import { files } from './files.ts';
import { type Filling, inputName, say } from './filling.ts';
import { matrix, parts, ranking } from './groups.ts';
import { line } from './lines.ts';

/** A field as it stands on the page; the script finds it by its ID. One that is not shown is there for the script alone. */
export function input(filling: Filling, is_shown: boolean): string {
  const { id } = filling.field;
  const whole = html`<div class="asked" data-field="${id}">!${control(filling)}</div>`;
  return is_shown ? whole : html`<template>!${whole}</template>`;
}

function control(filling: Filling): string {
  const { field } = filling;
  const as = <Type extends Field>(of: Type): Filling<Type> => ({ ...filling, field: of });
  switch (field.type) {
    case 'choice':
      return choice(as(field));
    case 'dropdown':
      return dropdown(as(field));
    case 'multi_choice':
      return multiChoice(as(field));
    case 'yes_no':
      return yesNo(as(field));
    case 'consent':
      return consent(as(field));
    case 'rating':
    case 'nps':
    case 'scale':
      return marks(as(field));
    case 'matrix':
      return matrix(as(field));
    case 'ranking':
      return ranking(as(field));
    case 'name':
    case 'address':
      return parts(as(field));
    case 'file':
      return files(as(field));
    case 'statement':
      return html`<section aria-labelledby="${inputName(field.id)}"><h3 id="${inputName(field.id)}">${say(filling, field.label)}</h3>
!${paragraphs(say(filling, field.text))}</section>`;
    default:
      return line(as(field));
  }
}
