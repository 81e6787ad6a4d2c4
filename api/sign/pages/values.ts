import { Failure } from '../../../shared/kernel/failure.ts';
import { normalForm } from '../../../shared/kernel/normal-form.ts';
import { requireFewValues } from '../../http/json.ts';
import type { Form } from '../../pages/kit/page.ts';
import { BODY_LIMITS } from '../create-document.ts';
import { type Group, isDrawn } from './groups.ts';
import type { FieldShown } from './shown.ts';
import { imageIn, partsOf, waysOf } from './signature.ts';

/** What a form gives each field, by the field's ID, as the API takes it; null where it was left empty. */
export function valuesIn(form: Form, groups: readonly Group[]): Record<string, unknown> {
  const values = groups.flatMap(({ name, field, fields }) => {
    if (isDrawn(field)) {
      const placed = placedIn(form, name);
      return fields.map((each) => [each.id, drawnValue(form, name, each, placed)] as const);
    }
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

/** Strokes by the ID of the field into whose box the pad placed them. */
type Placed = Readonly<Record<string, unknown>>;

/** The way that was chosen says which part counts; the others may hold something too. */
function drawnValue(form: Form, name: string, field: FieldShown, placed: Placed): unknown {
  const names = partsOf(name);
  const [first] = waysOf(field);
  const way = form.get(names.way) || first;
  if (way === 'drawn') {
    const strokes = placed[field.id] ?? strokesIn(form, name);
    return Array.isArray(strokes) && strokes.length > 0 ? { kind: 'drawn', strokes } : null;
  }
  if (way === 'image') {
    const data = imageIn(form, name);
    return data === '' ? null : { kind: 'image', data };
  }
  const text = form.get(names.text).trim();
  return text === '' ? null : { kind: way === 'text' ? 'text' : 'typed', text };
}

/** What the pad placed into the boxes of a group. Errors: `too_many_values`. */
function placedIn(form: Form, name: string): Placed {
  const placed = jsonIn(form.get(partsOf(name).placed));
  if (typeof placed !== 'object' || placed === null) return {};
  BODY_LIMITS.check(Object.values(placed).map((strokes) => ({ strokes })));
  return placed as Placed;
}

/** The strokes as they are on the pad. Errors: `too_many_values`. */
function strokesIn(form: Form, name: string): unknown {
  const strokes = jsonIn(form.get(partsOf(name).strokes));
  BODY_LIMITS.check({ strokes });
  return strokes;
}

/** What was drawn, with as many values as a body of the API may have; undefined for what is not JSON. */
function jsonIn(text: string): unknown {
  try {
    requireFewValues(text, BODY_LIMITS.values);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof Failure && error.code === 'too_many_values') throw error;
    return undefined;
  }
}
