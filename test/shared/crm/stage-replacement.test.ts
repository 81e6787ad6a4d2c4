import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  destinationInOtherPipeline,
  destinationOf,
  replaceStages,
  stageListFaults,
} from '../../../shared/crm/stage-replacement.ts';
import {
  completeStage,
  defaultStages,
  type StagePlan,
  type StageSent,
  type StageType,
  stageTypes,
} from '../../../shared/crm/stage-types.ts';

function stage(slug: string, sort_order: number, type: StageType = 'open'): StagePlan {
  return { name: slug, slug, sort_order, type, probability: 50, stale_after_days: null, color: null };
}

function replaced(old: StagePlan[], supplied: StageSent[], mapping?: Record<string, string>) {
  const result = replaceStages(old, supplied, mapping);
  assert.ok('replacement' in result);
  return result.replacement;
}

function faultsOf(old: StagePlan[], supplied: StageSent[], mapping?: Record<string, string>) {
  const result = replaceStages(old, supplied, mapping);
  assert.ok('faults' in result);
  return result.faults.map(({ path, code }) => `${path} ${code}`);
}

describe('the six default stages', () => {
  it('have the slugs, types and probabilities of a usual sales pipeline', () => {
    const shown = defaultStages.map(({ slug, type, probability }) => `${slug} ${type} ${probability}`);
    assert.deepEqual(shown, [
      'lead open 10',
      'qualification open 20',
      'proposal open 50',
      'negotiation open 80',
      'closed_won won 100',
      'closed_lost lost 0',
    ]);
    assert.deepEqual(stageListFaults(defaultStages), []);
  });
});

describe('a stage that is sent in part', () => {
  it('takes type and probability from its slug', () => {
    const complete = (slug: string, more = {}) => completeStage({ name: 'x', slug, ...more }, 3, null);
    assert.deepEqual([complete('closed_won').type, complete('closed_won').probability], ['won', 100]);
    assert.deepEqual([complete('closed_lost').type, complete('closed_lost').probability], ['lost', 0]);
    assert.deepEqual([complete('negotiation').type, complete('negotiation').probability], ['open', 80]);
    assert.deepEqual([complete('demo').type, complete('demo').probability], ['open', 50]);
    assert.deepEqual([complete('demo', { type: 'lost' }).probability, complete('demo').sort_order], [0, 3]);
  });

  it('keeps what its old stage had', () => {
    const old = { ...stage('demo', 7), probability: 33, stale_after_days: 5, color: '#112233' };
    const sent = { name: 'Demo', slug: 'demo' };
    assert.deepEqual(completeStage(sent, 0, old), { ...old, name: 'Demo', sort_order: 0 });
    assert.equal(completeStage({ ...sent, stale_after_days: null }, 0, old).stale_after_days, null);
    assert.equal(completeStage({ ...sent, type: 'won' }, 0, old).probability, 100);
  });
});

describe('replacing stages', () => {
  const old = [stage('lead', 0), stage('talk', 1), stage('won', 2, 'won'), stage('lost', 3, 'lost')];
  const names = (slugs: string[]): StageSent[] => slugs.map((slug) => ({ name: slug, slug }));

  it('keeps the stage whose slug is supplied', () => {
    const { stages, removed } = replaced(old, names(['talk', 'offer']));
    assert.deepEqual(
      stages.map(({ plan, old: kept }) => [plan.slug, kept?.slug ?? null]),
      [
        ['talk', 'talk'],
        ['offer', null],
      ],
    );
    assert.deepEqual(
      removed.map(({ old: gone }) => gone.slug),
      ['lead', 'won', 'lost'],
    );
  });

  it('sends deals where the mapping says, else to the same type, else to the first open stage', () => {
    const { removed } = replaced(
      old,
      [
        { name: 'a', slug: 'a' },
        { name: 'b', slug: 'b' },
        { name: 'c', slug: 'c', type: 'won' },
      ],
      { lead: 'b' },
    );
    assert.deepEqual(
      removed.map(({ old: gone, destination }) => [gone.slug, destination]),
      [
        ['lead', 'b'],
        ['talk', 'b'],
        ['won', 'c'],
        ['lost', 'a'],
      ],
    );
  });

  it('is refused for an empty list, for one without an open stage, for one slug twice', () => {
    assert.deepEqual(faultsOf(old, []), ['/stages too_small']);
    assert.deepEqual(faultsOf(old, names(['closed_won'])), ['/stages no_open_stage']);
    assert.deepEqual(faultsOf(old, names(['a', 'b', 'a', 'a'])), [
      '/stages/2/slug duplicate',
      '/stages/3/slug duplicate',
    ]);
  });

  it('is refused for a mapping from or to what is not there, or of a stage that stays', () => {
    const list = names(['talk', 'a']);
    assert.deepEqual(faultsOf(old, list, { none: 'a', lead: 'b', talk: 'a', 'x/y~z': 'a' }), [
      '/stage_mapping/none unknown_slug',
      '/stage_mapping/lead unknown_slug',
      '/stage_mapping/talk stage_stays',
      '/stage_mapping/x~1y~0z unknown_slug',
    ]);
    assert.ok('replacement' in replaceStages(old, list, { talk: 'talk' }));
    assert.deepEqual(faultsOf(old, list, { constructor: 'a' }), ['/stage_mapping/constructor unknown_slug']);
  });

  it('never loses a deal: each old stage stays or has a destination in the new list', () => {
    const slug = fc.constantFrom(...'abcdefgh');
    const plan = fc
      .record({ slug, sort_order: fc.integer({ min: -3, max: 9 }), type: fc.constantFrom(...stageTypes) })
      .map(({ slug, sort_order, type }) => stage(slug, sort_order, type));
    const list = fc.uniqueArray(plan, { selector: (one) => one.slug, maxLength: 6 });
    const mapping = fc.dictionary(slug, slug);
    fc.assert(
      fc.property(list, list, mapping, (before, after, wishes) => {
        const result = replaceStages(before, after, wishes);
        if ('faults' in result) return assert.ok(result.faults.length > 0);
        const { stages, removed } = result.replacement;
        assert.deepEqual(
          stages.map(({ plan }) => plan.slug),
          after.map((one) => one.slug),
        );
        const kept = stages.flatMap(({ old: one }) => one ?? []);
        const gone = removed.map((one) => one.old);
        assert.deepEqual(new Set([...kept, ...gone]), new Set(before));
        assert.equal(kept.length + gone.length, before.length);
        for (const { old: one, destination } of removed) {
          const target = after.find((other) => other.slug === destination);
          assert.ok(target);
          if (Object.hasOwn(wishes, one.slug)) assert.equal(destination, wishes[one.slug]);
          else assert.ok(target.type === one.type || !after.some((other) => other.type === one.type));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the destination of a removed stage', () => {
  const list = [stage('c', 5), stage('a', 1), stage('b', 3), stage('w', 4, 'won')];
  const table: [number, StageType, string][] = [
    [4, 'open', 'b'],
    [3, 'open', 'b'],
    [9, 'open', 'c'],
    [0, 'open', 'a'],
    [0, 'won', 'w'],
    [9, 'won', 'w'],
    [9, 'lost', 'a'],
  ];
  for (const [sort_order, type, expected] of table) {
    it(`of type ${type} at ${sort_order} is ${expected}`, () => {
      assert.equal(destinationOf(stage('gone', sort_order, type), list).slug, expected);
    });
  }

  it('in another pipeline is the stage of the same slug, whatever its type', () => {
    assert.equal(destinationInOtherPipeline(stage('w', 0), list).slug, 'w');
    assert.equal(destinationInOtherPipeline(stage('x', 2), list).slug, 'a');
  });
});
