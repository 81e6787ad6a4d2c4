import type { z } from 'zod';
import { DecimalSource } from '../../shared/kernel/schema.ts';
import type { Draws } from './random-draws.ts';

type Definition = {
  type: string;
  shape: Record<string, z.ZodType>;
  innerType: z.ZodType;
  element: z.ZodType;
  in: z.ZodType;
  keyType: z.ZodType;
  valueType: z.ZodType;
  options: z.ZodType[];
  items: z.ZodType[];
  values: unknown[];
  entries: Record<string, unknown>;
};

const texts = [
  [' ', 'a', ' a ', '\u0000', '\ud800', '"\\\n', 'é😀', '株式会社 山田', 'x'.repeat(300)],
  [
    '2026-04-01',
    '2026-02-30',
    '2026-04',
    '09:00',
    '24:00',
    '2026-04-01T00:30:00.000Z',
    '2026-04-01T09:30:00+09:00',
  ],
  [
    '0',
    '1',
    '-1',
    '12',
    '123',
    '1234',
    '0.5',
    '1e3',
    '1234567',
    'T1234567890123',
    '12345678',
    '1.00',
    '1,000',
  ],
  [
    'true',
    'false',
    'ja',
    'ja_JP',
    'JP',
    'JPY',
    'Asia/Tokyo',
    '#ff0000',
    'utf-8',
    'text/plain',
    'application/pdf',
  ],
  [
    'a@example.com',
    'https://example.com/a',
    'http://[',
    '/api/v1/jobs',
    '03-1234-5678',
    'constructor',
    '__proto__',
  ],
  ['', 'a'.repeat(64), '0'.repeat(64), '10.0', 'field_1', 'a.b', 'ABC', 'A-1'],
].flat();

const numbers = [
  0,
  1,
  -1,
  2,
  12,
  100,
  1_000,
  2026,
  0.5,
  -0,
  1e21,
  2 ** 53,
  2 ** 53 - 1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
];

const others: unknown[] = [
  null,
  undefined,
  true,
  false,
  [],
  {},
  ['a'],
  { a: 1 },
  new Date(0),
  new DecimalSource('1.5'),
];

/** A value that the schema takes most often, with every member that it names or without some that may be left out. */
export function randomValue(schema: z.ZodType, draws: Draws): unknown {
  const definition = schema.def as unknown as Definition;
  switch (definition.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(definition.shape).flatMap(([name, member]) => {
          const value = randomValue(member, draws);
          return value === undefined && draws.below(2) === 0 ? [] : [[name, value]];
        }),
      );
    case 'array':
      return Array.from({ length: draws.below(3) }, () => randomValue(definition.element, draws));
    case 'tuple':
      return definition.items.map((item) => randomValue(item, draws));
    case 'record':
      return { [String(taken(definition.keyType, draws))]: randomValue(definition.valueType, draws) };
    case 'nullable':
      return draws.below(4) === 0 ? null : randomValue(definition.innerType, draws);
    case 'optional':
    case 'default':
    case 'prefault':
      return draws.below(4) === 0 ? undefined : randomValue(definition.innerType, draws);
    case 'union':
      return randomValue(draws.among(definition.options), draws);
    case 'pipe':
      return randomValue(definition.in, draws);
    case 'literal':
      return draws.among(definition.values);
    case 'enum':
      return draws.among(Object.values(definition.entries));
    default:
      return taken(schema, draws);
  }
}

/** The value with one of its parts, at any depth, in another's place, gone, or beside one more. */
export function changedValue(value: unknown, draws: Draws): unknown {
  const isList = Array.isArray(value);
  if (typeof value !== 'object' || value === null || draws.below(4) === 0) return draws.among(ALL);
  const entries = Object.entries(value);
  const at = draws.below(entries.length + 1);
  if (at === entries.length)
    return isList ? [...value, draws.among(ALL)] : { ...value, [draws.among(NAMES)]: draws.among(ALL) };
  if (draws.below(6) === 0)
    return isList ? value.toSpliced(at, 1) : Object.fromEntries(entries.toSpliced(at, 1));
  const [name, part] = entries[at]!;
  const changed = changedValue(part, draws);
  return isList ? value.with(at, changed) : Object.fromEntries(entries.with(at, [name, changed]));
}

const NAMES = ['a', 'id', '__proto__', 'constructor', '0'];

const ALL: unknown[] = [...texts, ...numbers, ...others];

/** A value that the schema takes, where one is known. */
function taken(schema: z.ZodType, draws: Draws): unknown {
  const examples = (schema.meta()?.['examples'] as unknown[] | undefined) ?? [];
  const from = draws.below(ALL.length);
  const candidates = [...examples, ...ALL.slice(from), ...ALL.slice(0, from)];
  return candidates.find((candidate) => schema.safeParse(candidate).success) ?? candidates[0];
}
