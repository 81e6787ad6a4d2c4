import { type SegmentField, segmentsOf } from './segments.ts';

/** A step of a form: a page, and which of its segments; null for the whole page at once, as a script shows it. */
export type Step = { page_id: string; segment: number | null };

/** What steps are made of: the pages of a schema. */
export type StepPage<Field extends SegmentField = SegmentField> = { id: string; fields: readonly Field[] };

/** How far somebody has come: the pages that the answers so far lead through, and the fields that are shown. */
export type Reached = {
  path: readonly string[];
  visible_fields: readonly string[];
};

/** A step as forms send it: the page, and the number of its segment where it is not the whole page. */
export function stepName({ page_id, segment }: Step): string {
  return segment === null ? page_id : `${page_id}.${segment}`;
}

/** The step of that name; null where the schema has none. */
export function stepNamed(pages: readonly StepPage[], name: string): Step | null {
  const [page_id, number, ...others] = name.split('.');
  const page = pages.find(({ id }) => id === page_id);
  if (!page || others.length > 0) return null;
  if (number === undefined) return { page_id: page.id, segment: null };
  const segment = Number(number);
  const exists = /^\d{1,3}$/.test(number) && segment < segmentsOf(page.fields).length;
  return exists ? { page_id: page.id, segment } : null;
}

/** The fields of a step. */
export function fieldsOf<Field extends SegmentField>(
  pages: readonly StepPage<Field>[],
  { page_id, segment }: Step,
): readonly Field[] {
  const { fields } = pages.find(({ id }) => id === page_id)!;
  return segment === null ? fields : segmentsOf(fields)[segment]!;
}

/** The steps that the answers so far lead through; of a page those that show a field, or its first where none does. */
export function stepsReached(pages: readonly StepPage[], { path, visible_fields }: Reached): Step[] {
  const visible = new Set(visible_fields);
  return path.flatMap((page_id) => {
    const { fields } = pages.find(({ id }) => id === page_id)!;
    const shown = segmentsOf(fields).flatMap((segment, number) =>
      segment.some(({ id }) => visible.has(id)) ? [number] : [],
    );
    return (shown.length > 0 ? shown : [0]).map((segment) => ({ page_id, segment }));
  });
}

/** The step after one; null after the last. A whole page is followed by the next page. */
export function stepAfter(steps: readonly Step[], at: Step): Step | null {
  const place = steps.findLastIndex((step) => isPartOf(step, at));
  return steps[place + 1] ?? null;
}

/** The step before one; null before the first. */
export function stepBefore(steps: readonly Step[], at: Step): Step | null {
  const place = steps.findIndex((step) => isPartOf(step, at));
  if (place >= 0) return steps[place - 1] ?? null;
  return steps.at(-1) ?? null;
}

function isPartOf(step: Step, { page_id, segment }: Step): boolean {
  return step.page_id === page_id && (segment === null || step.segment === segment);
}

/** Which page of how many a step stands on, as far as the answers so far tell. */
export function progressOf(
  { path }: Pick<Reached, 'path'>,
  { page_id }: Step,
): { page: number; pages: number } {
  return { page: path.indexOf(page_id) + 1, pages: path.length };
}
