import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { endpoints } from '../../../api/endpoints.ts';
import { passesUnchanged } from '../../../api/http/unchanged.ts';
import { day, id, text, timestamp } from '../../../shared/kernel/schema.ts';

class Made {
  a = 'x';
}

const at = '2026-04-01T00:30:00.000Z';
const inv = 'inv_01kaj2n5w5fq8b4m0g3v7x9rtc';

const SCHEMAS = {
  text: text(3),
  id: id('inv'),
  day: day(),
  timestamp: timestamp(),
  int: z.int().min(0),
  number: z.number(),
  literal: z.literal(['a', true, null]),
  enum: z.enum(['a', 'b']),
  nullable: z.boolean().nullable(),
  array: z.array(z.int()).max(2),
  strict: z.strictObject({ a: z.string(), b: z.int().optional(), c: z.unknown() }),
  dropping: z.object({ a: z.string() }),
  open: z.looseObject({ a: z.string() }),
  record: z.record(z.string(), z.string().nullable()),
  pair: z.tuple([z.unknown(), z.string()]),
  default: z.strictObject({ a: z.string().default('b') }),
  refined: z.strictObject({ a: z.int(), b: z.int() }).refine(({ a, b }) => a < b),
  examined: z.strictObject({ a: z.string() }).superRefine(({ a }, issues) => {
    if (a === 'x') issues.addIssue({ code: 'custom', message: 'is x' });
  }),
  union: z.union([z.object({ a: z.string() }), z.strictObject({ a: z.string(), b: z.int() })]),
  exact: z.union([z.strictObject({ a: z.string() }), z.strictObject({ a: z.string(), b: z.int() })]),
  transformed: z.string().transform((value) => `${value}!`),
  coerced: z.coerce.string(),
  emoji: z.string().regex(/^\p{Emoji}$/gu),
} as const;

const VALUES: unknown[] = [
  ...[
    '',
    'a',
    'abc',
    ' a ',
    'abcd',
    'x',
    'a\0',
    '\ud800',
    '😀',
    inv,
    `${inv}0`,
    'comp_01kaj2n5w5fq8b4m0g3v7x9rtc',
  ],
  ...[at, '2026-04-01', '2026-02-29', '2028-02-29', '0000-01-01', '2026-04-01T00:30:00Z'],
  ...[0, 1, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1n, true, false, null, undefined],
  ...[[], [1], [1, 2], [1, 2, 3], [1.5], [null, 'a'], ['a', 1], [undefined, 'a']],
  ...[{}, { a: 'x' }, { a: 'y' }, { a: 1 }, { a: null }, { a: undefined }, { a: 'x', b: 1 }, { a: 1, b: 2 }],
  ...[
    { a: 2, b: 1 },
    { a: 'x', b: undefined, c: 1 },
    { a: 'x', c: undefined },
    { a: 'x', c: 1 },
  ],
  ...[{ a: 'x', b: 1, c: 1, d: 1 }, { a: 'x', b: '1', c: 1 }, { b: 'x' }, { ['__proto__']: 'x', a: 'y' }],
  ...[new Made(), Object.assign(Object.create({ b: 1 }), { a: 'x' }), new Date(0), new Map(), () => 1],
];

describe('what passes unchanged', () => {
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    test(`is accepted as it is: ${name}`, () => {
      const passing = VALUES.filter(passesUnchanged(schema));
      for (const value of passing) {
        const parsed = schema.safeParse(value);
        assert.ok(parsed.success, `${JSON.stringify(value)} is refused`);
        assert.deepEqual(parsed.data, value);
      }
    });
  }

  for (const name of [
    'text',
    'id',
    'day',
    'timestamp',
    'int',
    'array',
    'strict',
    'record',
    'exact',
  ] as const) {
    test(`is nearly all that is accepted: ${name}`, () => {
      const schema: z.ZodType = SCHEMAS[name];
      const plain = VALUES.filter(
        (value) => !(value instanceof Object) || Array.isArray(value) || isPlain(value),
      );
      const accepted = plain.filter((value) => {
        const { success, data } = schema.safeParse(value);
        return success && data === value;
      });
      for (const value of accepted) assert.ok(passesUnchanged(schema)(value), JSON.stringify(value));
      assert.ok(VALUES.some(passesUnchanged(schema)));
    });
  }

  test('a list with a wrong row does not pass, nor one with a field too many', () => {
    const reply = endpoints.find((endpoint) => endpoint.id === 'crm.tags.list')!;
    assert.ok('reply' in reply);
    const passes = passesUnchanged(reply.reply);
    const row = { id: 'tag_01kaj2n5w5fq8b4m0g3v7x9rtc', object: 'crm.tag', name: '重要', color: '#FF0000' };
    const tag = { ...row, usage_count: 0, created_at: at, updated_at: at };
    const list = (items: unknown[]) => ({ items, total: 1, limit: 50, offset: 0 });
    assert.equal(reply.reply.safeParse(list([tag])).success, true);
    assert.equal(passes(list([tag])), true);
    assert.equal(passes(list([tag, { ...tag, name: 1 }])), false);
    assert.equal(passes(list([{ ...tag, secret: 'x' }])), false);
  });
});

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}
