// Reads what stands in the inputs of a field, as far as conditions ask about it: in the form that answers are stored in. What
// cannot be an answer counts as none, as it does at the server, which judges everything again.

import { plainDecimal, plainText } from './replay.js';

/** The answer of a field; undefined where there is none. */
export function answerIn(form, field) {
  const name = `f-${field.id}`;
  const text = textIn(form, name);
  switch (field.type) {
    case 'statement':
      return undefined;
    case 'choice':
    case 'dropdown':
      return chosenIn(form, name, text);
    case 'multi_choice':
      return someOf(checkedIn(form, name).map((id) => (id === '-other' ? ownText(form, name) : id)));
    case 'yes_no':
      return text === '' ? undefined : text === 'yes';
    case 'consent':
      return text === '' ? undefined : true;
    case 'rating':
    case 'nps':
    case 'scale':
      return text === '' ? undefined : Number(text);
    case 'number':
      return plainDecimal(text) ?? undefined;
    case 'matrix': {
      const rows = field.rows.map(({ id }) => [id, rowIn(form, `${name}.${id}`, field.multiple)]);
      return partsThat(rows);
    }
    case 'ranking': {
      const order = field.options.map((_, place) => textIn(form, `${name}.${place}`));
      return order.includes('') ? undefined : order;
    }
    case 'name':
    case 'address':
      return partsThat(partInputs(form, name).map((input) => [input.name.slice(name.length + 1), plainText(input.value, true) || undefined]));
    case 'file':
      return fileIn(form, name);
    default:
      return text === '' ? undefined : text;
  }
}

function all(form, name) {
  return [...form.querySelectorAll(`[name="${name}"]`)];
}

function checkedIn(form, name) {
  return all(form, name)
    .filter(({ checked }) => checked)
    .map(({ value }) => value);
}

/** What is typed or chosen under a name; empty where nothing is. */
function textIn(form, name) {
  const [first] = all(form, name);
  if (!first) return '';
  if (first.type === 'radio' || first.type === 'checkbox') return checkedIn(form, name)[0] ?? '';
  return plainText(first.value, first.type !== 'textarea');
}

function ownText(form, name) {
  const other = textIn(form, `${name}-other`);
  return other === '' ? undefined : { other };
}

function chosenIn(form, name, text) {
  if (text !== '' && text !== '-other') return text;
  return ownText(form, name);
}

function rowIn(form, name, multiple) {
  const chosen = checkedIn(form, name);
  return multiple ? someOf(chosen) : chosen[0];
}

function partInputs(form, name) {
  return [...form.querySelectorAll(`[name^="${name}."]`)];
}

function fileIn(form, name) {
  const kept = checkedIn(form, `${name}-kept`);
  const chosen = all(form, name).flatMap(({ files }) => [...files].map((file) => file.name));
  return someOf([...kept, ...chosen]);
}

function someOf(values) {
  const given = values.filter((value) => value !== undefined);
  return given.length > 0 ? given : undefined;
}

function partsThat(parts) {
  const given = parts.filter(([, value]) => value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
