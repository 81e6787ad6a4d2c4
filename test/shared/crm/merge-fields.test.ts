import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeFields } from '../../../shared/crm/merge-fields.ts';
import { Failure } from '../../../shared/kernel/failure.ts';

const names = ['phone', 'note', 'honorific', 'custom_fields'] as const;

type Thing = {
  id: string;
  phone: string | null;
  note: string | null;
  honorific: string;
  other: number;
  custom_fields: Record<string, string>;
  metadata: Record<string, string>;
};

function thing(id: string, fields: Partial<Thing> = {}): Thing {
  return { id, phone: null, note: null, honorific: '', other: 0, custom_fields: {}, metadata: {}, ...fields };
}

describe('merging two records', () => {
  const survivor = thing('a', { note: '', other: 1, custom_fields: { x: '1', long: '2' } });
  const loser = thing('b', {
    phone: '03',
    note: 'n',
    honorific: '様',
    other: 2,
    custom_fields: { y: '3', x: '4' },
  });

  it('keeps what the survivor has and fills what is empty, custom fields one by one', () => {
    assert.deepEqual(mergeFields(survivor, loser, names, {}), {
      id: 'a',
      phone: '03',
      note: 'n',
      honorific: '',
      other: 1,
      custom_fields: { x: '1', y: '3', long: '2' },
      metadata: {},
    });
  });

  it('fills metadata entry by entry, up to 50', () => {
    const one = thing('a', { metadata: { a: '1', x: 'kept' } });
    const other = thing('b', { metadata: { b: '2', x: 'lost' } });
    assert.deepEqual(mergeFields(one, other, names, {}).metadata, { a: '1', b: '2', x: 'kept' });
    const full = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, '']));
    const merged = mergeFields(thing('a', { metadata: full }), other, names, {}).metadata;
    assert.deepEqual(merged, mergeFields(thing('a', { metadata: full }), thing('b'), names, {}).metadata);
  });

  it('takes a chosen field from the record that is named, also when it is empty there', () => {
    const choices = { phone: 'a', honorific: 'b', custom_fields: 'b' };
    const merged = mergeFields(survivor, loser, names, choices);
    assert.deepEqual(
      [merged.phone, merged.honorific, merged.custom_fields],
      [null, '様', { y: '3', x: '4' }],
    );
    assert.equal(mergeFields(thing('a', { phone: '1' }), thing('b'), names, { phone: 'b' }).phone, null);
  });

  it('refuses a choice of what is no field, and of a third record', () => {
    assert.throws(
      () => mergeFields(survivor, loser, names, { other: 'a', 'x/y': 'a', phone: 'c' }),
      (error) => {
        const faults = (error as Failure).details.errors ?? [];
        assert.ok(error instanceof Failure);
        assert.deepEqual(
          faults.map(({ path, code }) => `${path} ${code}`),
          ['/fields/other unknown_field', '/fields/x~1y unknown_field', '/fields/phone invalid_value'],
        );
        return true;
      },
    );
  });

  it('changes neither of the two', () => {
    const [left, right] = [structuredClone(survivor), structuredClone(loser)];
    mergeFields(survivor, loser, names, {});
    assert.deepEqual([survivor, loser], [left, right]);
  });
});
