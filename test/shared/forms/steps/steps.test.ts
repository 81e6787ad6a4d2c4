import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  fieldsOf,
  progressOf,
  type Step,
  stepAfter,
  stepBefore,
  stepName,
  stepNamed,
  stepsReached,
} from '../../../../shared/forms/steps/steps.ts';

const pages = [
  {
    id: 'visit',
    fields: [{ id: 'kind' }, { id: 'model', show_if: { field: 'kind' } }],
  },
  { id: 'fault', fields: [{ id: 'since' }] },
  { id: 'plan', fields: [{ id: 'seats' }, { id: 'budget', required_if: { field: 'seats' } }] },
  { id: 'bye', fields: [] },
];
const step = (page_id: string, segment: number | null): Step => ({ page_id, segment });

describe('the name of a step', () => {
  test('leads back to it', () => {
    for (const each of [step('visit', 0), step('visit', 1), step('visit', null), step('bye', 0)]) {
      assert.deepEqual(stepNamed(pages, stepName(each)), each);
    }
  });

  test('is null for what the form has not', () => {
    for (const name of [
      '',
      'other',
      'visit.2',
      'visit.',
      'visit.x',
      'visit.0.0',
      'visit.-1',
      'visit.1e0',
      '.0',
    ]) {
      assert.equal(stepNamed(pages, name), null, name);
    }
  });

  test('says which fields it has', () => {
    const ids = (each: Step) => fieldsOf(pages, each).map(({ id }) => id);
    assert.deepEqual(ids(step('visit', 1)), ['model']);
    assert.deepEqual(ids(step('visit', null)), ['kind', 'model']);
  });
});

describe('the steps that answers lead through', () => {
  const reached = (path: string[], visible_fields: string[]) => stepsReached(pages, { path, visible_fields });

  test('leave out those that show no field, and keep a page that has none', () => {
    assert.deepEqual(reached(['visit', 'plan', 'bye'], ['kind', 'seats', 'budget']), [
      step('visit', 0),
      step('plan', 0),
      step('plan', 1),
      step('bye', 0),
    ]);
  });

  test('go on and back', () => {
    const steps = reached(['visit', 'plan'], ['kind', 'model', 'seats', 'budget']);
    assert.deepEqual(stepAfter(steps, step('visit', 0)), step('visit', 1));
    assert.deepEqual(stepAfter(steps, step('visit', 1)), step('plan', 0));
    assert.deepEqual(stepAfter(steps, step('visit', null)), step('plan', 0));
    assert.equal(stepAfter(steps, step('plan', null)), null);
    assert.equal(stepAfter(steps, step('plan', 1)), null);
    assert.deepEqual(stepBefore(steps, step('plan', null)), step('visit', 1));
    assert.equal(stepBefore(steps, step('visit', null)), null);
    assert.equal(stepBefore(steps, step('visit', 0)), null);
  });

  test('begin anew where a page is on the way no more, and go back to the last that is', () => {
    const steps = reached(['visit', 'plan'], ['kind', 'seats']);
    assert.deepEqual(stepAfter(steps, step('fault', 0)), step('visit', 0));
    assert.deepEqual(stepBefore(steps, step('fault', 0)), step('plan', 0));
  });

  test('count as pages', () => {
    assert.deepEqual(progressOf({ path: ['visit', 'plan', 'bye'] }, step('plan', 1)), { page: 2, pages: 3 });
  });
});
