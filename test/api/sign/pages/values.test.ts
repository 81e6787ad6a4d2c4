import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupsOf } from '../../../../api/sign/pages/groups.ts';
import type { FieldShown, FieldType, SigningShown } from '../../../../api/sign/pages/shown.ts';
import { stateOf } from '../../../../api/sign/pages/state.ts';
import { valuesIn } from '../../../../api/sign/pages/values.ts';

const ME = 'signer_me';

function field(id: string, type: FieldType, more: Partial<FieldShown> = {}): FieldShown {
  const place = { page: 1, x: 0.1, y: 0.1, w: 0.2, h: 0.05 };
  const plain = {
    required: true,
    label: null,
    options: null,
    validation: null,
    value: null,
    read_only: false,
  };
  return { id, signer: ME, type, ...place, ...plain, ...more };
}

function formOf(sent: Record<string, string>, files: Record<string, string> = {}) {
  return {
    has: (name: string) => name in sent,
    get: (name: string) => sent[name] ?? '',
    all: (name: string) => (name in sent ? [sent[name]!] : []),
    file: (name: string) => (name in files ? Buffer.from(files[name]!) : null),
  };
}

const valuesOf = (fields: FieldShown[], ...sent: Parameters<typeof formOf>) =>
  valuesIn(formOf(...sent), groupsOf({ fields }, ME));

describe('what is typed in full width', () => {
  test('is the same number, with or without commas, and the same code', () => {
    const fields = [
      field('number', 'number'),
      field('below', 'number'),
      field('postal', 'text', { validation: { format: 'postal_code' } as FieldShown['validation'] }),
      field('text', 'text'),
    ];
    const sent = { number: '１，２３４．５', below: '－3', postal: '１０５ー００１４', text: '１０５，０' };
    assert.deepEqual(valuesOf(fields, sent), {
      number: '1234.5',
      below: '-3',
      postal: '105-0014',
      text: '１０５，０',
    });
  });

  test('a comma that groups no thousands is left for the service to refuse', () => {
    assert.deepEqual(valuesOf([field('number', 'number')], { number: '1,5' }), { number: '1,5' });
  });
});

describe('groups', () => {
  test('stand in reading order: by page, then by row, then from the left', () => {
    const fields = [
      field('d', 'text', { page: 2, y: 0 }),
      field('c', 'text', { y: 0.5 }),
      field('b', 'text', { y: 0.101, x: 0.6 }),
      field('a', 'text', { y: 0.104, x: 0.2 }),
    ];
    assert.deepEqual(
      groupsOf({ fields }, ME).map(({ name }) => name),
      ['a', 'b', 'c', 'd'],
    );
  });

  test('required signatures with one label are given once; an optional one and one with another label by themselves', () => {
    const fields = [
      field('one', 'signature'),
      field('two', 'signature', { page: 2 }),
      field('optional', 'signature', { page: 3, required: false }),
      field('other', 'signature', { page: 4, label: '保証人' }),
    ];
    assert.deepEqual(
      groupsOf({ fields }, ME).map((group) => group.fields.map(({ id }) => id)),
      [['one', 'two'], ['optional'], ['other']],
    );
  });

  test('hold nothing that the signer does not fill in', () => {
    const fields = [
      field('date', 'date'),
      field('fixed', 'text', { read_only: true }),
      field('theirs', 'text', { signer: 'signer_other' }),
    ];
    assert.deepEqual(groupsOf({ fields }, ME), []);
  });
});

describe('values', () => {
  test('are what the API takes for each type; what was left empty is null', () => {
    const fields = [
      field('text', 'text'),
      field('number', 'number'),
      field('on', 'checkbox'),
      field('off', 'checkbox'),
      field('radio', 'radio', { options: ['A', 'B'] }),
      field('empty', 'select', { options: ['A', 'B'] }),
    ];
    const sent = { text: ' one\r\ntwo ', number: '1.50', on: 'yes', radio: 'B', empty: '' };
    assert.deepEqual(valuesOf(fields, sent), {
      text: 'one\ntwo',
      number: '1.50',
      on: true,
      off: false,
      radio: 'B',
      empty: null,
    });
  });

  test('a signature goes to every place that asks for it', () => {
    const fields = [field('one', 'signature'), field('two', 'signature', { page: 2 })];
    const typed = { kind: 'typed', text: '佐藤 花子' };
    assert.deepEqual(valuesOf(fields, { one: '佐藤 花子' }), { one: typed, two: typed });
  });

  test('the way that was chosen counts, whatever the others hold', () => {
    const sent = { sign: '佐藤', 'sign-strokes': '[[[0.1,0.2],[0.3,0.4]]]', 'sign-kept': 'a2VwdA==' };
    const files = { 'sign-image': 'new' };
    const signed = (way: string, ...more: [Record<string, string>?]) =>
      valuesOf([field('sign', 'signature')], { ...sent, 'sign-way': way }, ...more)['sign'];
    assert.deepEqual(signed('typed'), { kind: 'typed', text: '佐藤' });
    assert.deepEqual(signed('drawn'), {
      kind: 'drawn',
      strokes: [
        [
          [0.1, 0.2],
          [0.3, 0.4],
        ],
      ],
    });
    assert.deepEqual(signed('image'), { kind: 'image', data: 'a2VwdA==' });
    assert.deepEqual(signed('image', files), { kind: 'image', data: 'bmV3' });
    assert.deepEqual(valuesOf([field('stamp', 'stamp')], { stamp: '佐藤' }), {
      stamp: { kind: 'text', text: '佐藤' },
    });
  });

  test('strokes that are not JSON, or none, are no signature', () => {
    for (const strokes of ['', '[]', 'null', '{', '"x"']) {
      const sent = { 'sign-way': 'drawn', 'sign-strokes': strokes };
      assert.deepEqual(valuesOf([field('sign', 'signature')], sent), { sign: null }, strokes);
    }
  });
});

test('a document stands for a signer as both of them say', () => {
  const now = new Date('2026-12-01T00:00:00.000Z');
  const state = (more: Partial<SigningShown>, signer: Partial<SigningShown['signer']> = {}) =>
    stateOf(
      {
        title: '契約書',
        status: 'sent',
        cancel_reason: null,
        sender_name: '佐藤',
        organization_name: '青葉',
        signer: {
          id: ME,
          name: '田中',
          email: 't***@example.jp',
          role: 'signer',
          status: 'viewed',
          ...signer,
        },
        auth: 'none',
        access: 'none',
        expires_at: '2026-12-01T00:00:00.001Z',
        allow_forward: false,
        time_zone: 'Asia/Tokyo',
        granted: null,
        ...more,
      },
      now,
    );
  assert.equal(state({}), 'open');
  assert.equal(state({ expires_at: '2026-12-01T00:00:00.000Z' }), 'expired');
  assert.equal(state({ expires_at: '2026-12-01T00:00:00.000Z' }, { status: 'signed' }), 'signed');
  assert.equal(state({}, { status: 'signed', role: 'approver' }), 'approved');
  assert.equal(state({}, { status: 'waiting' }), 'waiting');
  assert.equal(state({}, { status: 'notified', role: 'cc' }), 'copy');
  assert.equal(state({ status: 'signed' }, { status: 'signed' }), 'sealed');
  assert.equal(state({ status: 'cancelled', cancel_reason: 'by_sender' }), 'cancelled');
  assert.equal(state({ status: 'cancelled', cancel_reason: 'expired' }), 'expired');
  assert.equal(state({ status: 'cancelled', cancel_reason: 'declined' }, { status: 'declined' }), 'declined');
  assert.equal(state({ status: 'cancelled', cancel_reason: 'declined' }), 'declined_by_other');
});

describe('what was drawn', () => {
  const fields = [field('sign', 'signature')];
  const { name } = groupsOf({ fields }, ME)[0]!;
  const sent = (part: string, value: unknown) => ({
    [`${name}-way`]: 'drawn',
    [`${name}-${part}`]: JSON.stringify(value),
  });

  test('has no more values than a body of the API, beside its points', () => {
    const good = [Array.from({ length: 21_000 }, () => [0, 1])];
    const wrong = [Array.from({ length: 21_000 }, () => ['', ''])];
    for (const [part, value] of [
      ['strokes', wrong],
      ['placed', { sign: wrong }],
    ] as const) {
      assert.throws(() => valuesOf(fields, sent(part, value)), { code: 'too_many_values' });
    }
    for (const [part, value] of [
      ['strokes', good],
      ['placed', { sign: good }],
    ] as const) {
      assert.deepEqual(valuesOf(fields, sent(part, value)), { sign: { kind: 'drawn', strokes: good } });
    }
    for (const text of ['null', '"x"', '[[', '']) {
      const parts = { [`${name}-way`]: 'drawn', [`${name}-strokes`]: text, [`${name}-placed`]: text };
      assert.deepEqual(valuesOf(fields, parts), { sign: null });
    }
  });
});
