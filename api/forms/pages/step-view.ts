import { html } from 'ghtml';
import type { Plan } from '../../../shared/forms/replay/replay.ts';
import type { Field, Schema } from '../../../shared/forms/schema/schema.ts';
import {
  fieldsOf,
  progressOf,
  type Reached,
  type Step,
  stepName,
} from '../../../shared/forms/steps/steps.ts';
import type { FieldError } from '../../../shared/kernel/failure.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import { hidden, summaryOf, type Wrong } from '../../pages/kit/fields.ts';
import { blankOnce } from './blank.ts';
import { faultsOf } from './faults.ts';
import { type AttachedFile, type Filling, placeOf } from './inputs/filling.ts';
import { input } from './inputs/input.ts';
import type { Answers } from './read.ts';
import { CONDITIONS } from './scripts.ts';
import { paragraphs, textIn } from './texts.ts';
import { words } from './words.ts';

/** What rides along in the form that is filled in, from step to step. */
export type Riding = { answers: Answers; hidden: Record<string, string> };

/** A step of a form to show. */
export type StepShown = Riding & {
  language: Language;
  schema: Schema;
  title: string;
  /** Where the form goes. */
  action: string;
  step: Step;
  reached: Reached;
  required_fields: ReadonlySet<string>;
  plan: Plan;
  /** The answers and hidden values so far, as they would be stored. */
  stored: { data: Record<string, unknown>; hidden: Record<string, string> };
  /** What is wrong, once it was sent. */
  errors: readonly FieldError[];
  /** The sentence above everything, where there is one. */
  told: string | null;
  files: readonly AttachedFile[];
  /** What the form sends besides, by name. */
  sent: Record<string, string>;
  /** The field that people leave empty, and what is to be worked out before it is sent. */
  guard: { honeypot: string; challenge: { salt: string; bits: number } | null } | null;
  is_first: boolean;
  is_last: boolean;
  /** Whether it can be saved, to go on later. */
  may_save: boolean;
  /** What the last button says. */
  end: string;
  /** HTML above the form. */
  note: string;
};

/** The step: the page's heading, what was wrong, its fields, and the ways on. Fields that are not shown wait for the script. */
export function stepView(shown: StepShown): string {
  const { language, schema, title, step, errors, told, sent } = shown;
  const say = words[language];
  const page = schema.pages.find(({ id }) => id === step.page_id)!;
  const { page: number, pages } = progressOf(shown.reached, step);
  const inStep = new Set(fieldsOf(schema.pages, step).map(({ id }) => id));
  const visible = new Set(shown.reached.visible_fields);
  const fillings = page.fields.map((field) => fillingOf(shown, field));
  const isShown = ({ field }: Filling) => inStep.has(field.id) && visible.has(field.id);
  const hasFiles = page.fields.some(({ type }) => type === 'file');
  const { fields, conditions } = blankOnce(shown, () => ({
    fields: fillings.map((filling) => input(filling, isShown(filling))).join('\n'),
    conditions: conditionsOf(shown),
  }));
  const riding = {
    ...sent,
    step: stepName(step),
    answers: JSON.stringify(shown.answers),
    hidden: JSON.stringify(shown.hidden),
  };
  return html`<div class="questions">
<header>
<h1>${title}</h1>
!${shown.is_first && schema.description ? paragraphs(textIn(schema.description, language)) : ''}
!${pages > 1 ? html`<p class="quiet">${say.progress} ${`${number} / ${pages}`}</p>` : ''}
!${shown.note}
</header>
<form method="post" action="${shown.action}" novalidate !${hasFiles ? 'enctype="multipart/form-data"' : ''} data-page="${page.id}">
!${errors.length > 0 || told !== null ? summary(shown, fillings, isShown) : ''}
!${Object.entries(riding)
    .map(([name, value]) => hidden(name, value))
    .join('\n')}
!${guarding(shown)}
!${page.title ? html`<h2>${textIn(page.title, language)}</h2>` : ''}
!${page.description ? paragraphs(textIn(page.description, language)) : ''}
!${fields}
!${buttons(shown)}
</form>
!${conditions}
</div>`;
}

function fillingOf(shown: StepShown, field: Field): Filling {
  const { answers, language, errors, files, required_fields } = shown;
  const value = Object.hasOwn(answers, field.id)
    ? answers[field.id]
    : 'default' in field
      ? field.default
      : undefined;
  return {
    field,
    language,
    value,
    faults: faultsOf(errors, field, language),
    is_required: required_fields.has(field.id),
    files,
  };
}

function summary(
  { language, told }: StepShown,
  fillings: readonly Filling[],
  isShown: (filling: Filling) => boolean,
): string {
  const wrong = fillings.filter(isShown).flatMap((filling): Wrong[] => {
    const [first] = filling.faults;
    if (!first) return [];
    return [
      { place: placeOf(filling), label: textIn(filling.field.label, language), sentence: first.sentence },
    ];
  });
  return summaryOf(html`<p class="alert" role="alert">${told ?? words[language].faulty}</p>`, wrong);
}

function guarding({ guard, language }: StepShown): string {
  if (guard === null) return '';
  const { honeypot, challenge } = guard;
  const trap = html`<div class="trap" aria-hidden="true"><label for="${honeypot}">${words[language].trap}</label><input type="text" id="${honeypot}" name="${honeypot}" value="" tabindex="-1" autocomplete="off"></div>`;
  if (challenge === null) return trap;
  return html`!${trap}
<input type="hidden" name="proof" value="" data-salt="${challenge.salt}" data-bits="${challenge.bits}">`;
}

/** The first button is that of the Enter key: the way on. */
function buttons({ language, is_first, is_last, may_save, end }: StepShown): string {
  const say = words[language];
  const button = (action: string, label: string, kind: string) =>
    html`<button type="submit" name="action" value="${action}" class="${kind}">${label}</button>`;
  return html`<p class="buttons">
<button type="submit" name="action" value="next">${is_last ? end : say.next}</button>
!${is_first ? '' : button('back', say.back, 'plain back')}
!${may_save ? button('save', say.save, 'plain save') : ''}
</p>`;
}

/** What the script decides by: the plan, the fields of the page, and the answers of the pages before as they are stored. */
function conditionsOf({ schema, step, plan, stored }: StepShown): string {
  const { fields } = schema.pages.find(({ id }) => id === step.page_id)!;
  if (!fields.some(({ show_if, required_if }) => show_if || required_if)) return '';
  const here = new Set(fields.map(({ id }) => id));
  const earlier = Object.entries(stored.data).filter(([id]) => !here.has(id));
  const asked = JSON.stringify(plan);
  // An invitation may say what its guest need not read: only what is asked about goes to the page.
  const values = Object.entries(stored.hidden).filter(([name]) => asked.includes(`"field":"${name}"`));
  const deciding = {
    plan,
    fields,
    earlier: Object.fromEntries(earlier),
    hidden: Object.fromEntries(values),
  };
  const text = JSON.stringify(deciding).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${CONDITIONS}">${text}</script>`;
}
