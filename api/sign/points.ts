import { DecimalSource } from '../../shared/kernel/schema.ts';
import { MOST_VALUES, tooManyValues } from '../http/json.ts';

/**
 * Sees that parsed JSON has no more values than any body may have, beside the points of what was drawn: each value that is wrong
 * costs a fault of its own, and points are the only values that may be many. Errors: `too_many_values`.
 */
export function requireFewBesidePoints(body: unknown): void {
  let values = 0;
  const count = (more: number) => {
    values += more;
    if (values > MOST_VALUES) throw tooManyValues(MOST_VALUES);
  };
  const open: unknown[] = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || value instanceof DecimalSource) continue;
    if (Array.isArray(value)) {
      count(value.length);
      open.push(...value);
      continue;
    }
    for (const [name, member] of Object.entries(value)) {
      count(1);
      if (name === 'strokes' && Array.isArray(member)) {
        count(member.length);
        for (const stroke of member) open.push(withoutPoints(stroke));
      } else open.push(member);
    }
  }
}

function withoutPoints(stroke: unknown): unknown {
  return Array.isArray(stroke) ? stroke.filter((point) => !isPoint(point)) : stroke;
}

function isPoint(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isFraction);
}

function isFraction(value: unknown): boolean {
  const number = value instanceof DecimalSource ? Number(value.text) : value;
  return typeof number === 'number' && number >= 0 && number <= 1;
}
