import { type DrawingProblem, drawingOf } from './drawing/plan.ts';
import { placeOf } from './geometry.ts';
import type { PageGeometry, PlacedField, PlacedValue } from './types.ts';

/**
 * Why a value cannot be drawn into its field: `does_not_fit` at 5 points, `bad_characters` without a glyph. Asked when it is
 * saved, so that sealing never cuts. It takes the metrics of fonts alone and opens no file of anybody.
 */
export function problemOfValue(
  field: PlacedField,
  page: PageGeometry,
  value: PlacedValue | null,
): DrawingProblem | null {
  if (value === null) return null;
  const drawing = drawingOf(field, value, placeOf(page, field));
  return typeof drawing === 'string' ? drawing : null;
}
