import type { Form } from '../../pages/kit/page.ts';
import { type Group, isDrawn } from './groups.ts';
import type { FieldShown } from './shown.ts';
import { imageIn, partsOf, waysOf } from './signature.ts';

/** What a form gives each field, by the field's ID, as the API takes it; null where it was left empty. */
export function valuesIn(form: Form, groups: readonly Group[]): Record<string, unknown> {
  const values = groups.flatMap(({ name, field, fields }) => {
    const value = isDrawn(field) ? drawnValue(form, name, field) : plainValue(form, name, field);
    return fields.map(({ id }) => [id, value] as const);
  });
  return Object.fromEntries(values);
}

function plainValue(form: Form, name: string, { type }: FieldShown): unknown {
  if (type === 'checkbox') return form.has(name);
  const text = form.get(name).replaceAll('\r\n', '\n').trim();
  return text === '' ? null : text;
}

/** The way that was chosen says which part counts; the others may hold something too. */
function drawnValue(form: Form, name: string, field: FieldShown): unknown {
  const names = partsOf(name);
  const [first] = waysOf(field);
  const way = form.get(names.way) || first;
  if (way === 'drawn') {
    const strokes = strokesIn(form.get(names.strokes));
    return strokes === null ? null : { kind: 'drawn', strokes };
  }
  if (way === 'image') {
    const data = imageIn(form, name);
    return data === '' ? null : { kind: 'image', data };
  }
  const text = form.get(names.text).trim();
  return text === '' ? null : { kind: way === 'text' ? 'text' : 'typed', text };
}

/** What the pad wrote: it is checked where all values are. Null for nothing, and for what is not JSON. */
function strokesIn(text: string): unknown {
  try {
    const strokes: unknown = JSON.parse(text);
    return Array.isArray(strokes) && strokes.length > 0 ? strokes : null;
  } catch {
    return null;
  }
}
