// Shows all of a page at once, its fields hidden and shown in place by the same rules that the server decides by. Without it
// the page comes in steps, and nothing is missing.
import { replay } from './replay.js';
import { answerIn } from './answers.js';

/** Puts the fields that wait in templates into the page. */
function unfold(form) {
  for (const template of form.querySelectorAll('template')) template.replaceWith(template.content);
  form.elements.step.value = form.dataset.page;
}

/** `earlier` has the answers of the pages before, as they are stored. */
function start(form, { plan, fields, earlier, hidden }) {
  function follow() {
    const here = fields.map((field) => [field.id, answerIn(form, field)]);
    const answers = { ...earlier, ...Object.fromEntries(here.filter(([, answer]) => answer !== undefined)) };
    const { visible_fields, required_fields } = replay(plan, answers, hidden);
    for (const { id, show_if, required_if } of fields) {
      const place = form.querySelector(`[data-field="${id}"]`);
      if (show_if) show(place, visible_fields.includes(id));
      if (required_if) need(place, required_fields.includes(id));
    }
  }

  form.addEventListener('input', follow);
  form.addEventListener('change', follow);
  follow();
}

function show(place, isShown) {
  place.hidden = !isShown;
  // What was typed comes back with its field; a file that nobody sees is not sent.
  for (const file of place.querySelectorAll('input[type="file"]')) file.disabled = !isShown;
}

function need(place, isNeeded) {
  const word = place.querySelector('.needed');
  if (word) word.hidden = !isNeeded;
  const group = place.querySelector('[role="radiogroup"]');
  if (group) group.setAttribute('aria-required', String(isNeeded));
  for (const input of place.querySelectorAll('input[type="text"], input[type="email"], select, textarea')) {
    input.required = isNeeded;
  }
}

const form = document.querySelector('.questions form');
const asked = document.querySelector('#conditions');
if (form && asked) {
  unfold(form);
  start(form, JSON.parse(asked.textContent));
}
