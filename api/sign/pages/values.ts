import { normalForm } from '../../../shared/kernel/normal-form.ts';
import type { Form } from '../../pages/kit/page.ts';
import { type Group, isDrawn } from './groups.ts';
import type { FieldShown } from './shown.ts';
import { imageIn, partsOf, waysOf } from './signature.ts';

/** What a form gives each field, by the field's ID, as the API takes it; null where it was left empty. */
export function valuesIn(form: Form, groups: readonly Group[]): Record<string, unknown> {
  const values = groups.flatMap(({ name, field, fields }) => {
    if (isDrawn(field)) return fields.map((each) => [each.id, drawnValue(form, name, each)] as const);
    return [[field.id, plainValue(form, name, field)] as const];
  });
  return Object.fromEntries(values);
}

function plainValue(form: Form, name: string, field: FieldShown): unknown {
  if (field.type === 'checkbox') return form.has(name);
  const text = halfWidth(field, form.get(name).replaceAll('\r\n', '\n').trim());
  return text === '' ? null : text;
}

/** Numbers and codes as they are kept: Japanese keyboards write them in full width, and people group thousands. */
function halfWidth({ type, validation }: FieldShown, text: string): string {
  if (type !== 'number' && !validation?.format) return text;
  const half = normalForm(text, 'NFKC').replaceAll(DASHES, '-');
  return type === 'number' && GROUPED.test(half) ? half.replaceAll(',', '') : half;
}

/** What the key of the hyphen writes there: minus, hyphen, and the mark of long vowels. */
const DASHES = /[\u2212\u2010\u30fc]/g;
const GROUPED = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/;

/** The way that was chosen says which part counts; the others may hold something too. */
function drawnValue(form: Form, name: string, field: FieldShown): unknown {
  const names = partsOf(name);
  const [first] = waysOf(field);
  const way = form.get(names.way) || first;
  if (way === 'drawn') {
    const strokes = strokesIn(form, name, field.id);
    return strokes === null ? null : { kind: 'drawn', strokes };
  }
  if (way === 'image') {
    const data = imageIn(form, name);
    return data === '' ? null : { kind: 'image', data };
  }
  const text = form.get(names.text).trim();
  return text === '' ? null : { kind: way === 'text' ? 'text' : 'typed', text };
}

/**
 * What was drawn, as the pad placed it into the box of the field, else as it is on the pad. It is checked where all values are; null
 * for nothing, and for what is not JSON.
 */
function strokesIn(form: Form, name: string, id: string): unknown {
  const names = partsOf(name);
  const placed = jsonIn(form.get(names.placed)) as Record<string, unknown> | null;
  const strokes = placed?.[id] ?? jsonIn(form.get(names.strokes));
  return Array.isArray(strokes) && strokes.length > 0 ? strokes : null;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
