import type { z } from 'zod';

type Passes = (value: unknown) => boolean;

/** `exact` where what does not pass is refused by the schema too, and never accepted in another form. */
type Compiled = { passes: Passes; exact: boolean };

/** What is left to the schema itself: what changes values, and kinds that answers do not have. */
const LEFT: Compiled = { passes: () => false, exact: false };

const known = new WeakMap<z.core.$ZodType, Compiled>();

/**
 * A check that holds only for what the schema accepts as it is. It makes no copy and no list of faults, so it takes a
 * fraction of the time that parsing does; where it does not hold the schema has to be asked.
 */
export function passesUnchanged(schema: z.core.$ZodType): Passes {
  return compiled(schema).passes;
}

function compiled(schema: z.core.$ZodType): Compiled {
  const found = known.get(schema);
  if (found) return found;
  const made = withChecks(schema, ofKind(schema as z.core.$ZodTypes));
  known.set(schema, made);
  return made;
}

function ofKind(schema: z.core.$ZodTypes): Compiled {
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
      return def.coerce ? LEFT : exactly((value) => typeof value === 'string');
    case 'number':
      return def.coerce ? LEFT : exactly((value) => typeof value === 'number' && Number.isFinite(value));
    case 'boolean':
      return def.coerce ? LEFT : exactly((value) => typeof value === 'boolean');
    case 'null':
      return exactly((value) => value === null);
    case 'unknown':
    case 'any':
      return exactly(() => true);
    case 'literal':
    case 'enum': {
      const values: ReadonlySet<unknown> = schema._zod.values!;
      return exactly((value) => values.has(value));
    }
    case 'nullable': {
      const { passes, exact } = compiled(def.innerType);
      return { passes: (value) => value === null || passes(value), exact };
    }
    case 'optional': {
      const { passes, exact } = compiled(def.innerType);
      return { passes: (value) => value === undefined || passes(value), exact };
    }
    case 'default':
      return { passes: compiled(def.innerType).passes, exact: false };
    case 'record':
      return recordOf(compiled(def.keyType), compiled(def.valueType));
    case 'tuple':
      return def.rest === null ? tupleOf(def.items.map(compiled)) : LEFT;
    case 'array':
      return arrayOf(compiled(def.element));
    case 'object':
      return objectOf(def);
    case 'union':
      return unionOf(def.options.map(compiled));
    default:
      return LEFT;
  }
}

function exactly(passes: Passes): Compiled {
  return { passes, exact: true };
}

function arrayOf({ passes, exact }: Compiled): Compiled {
  return { passes: (value) => Array.isArray(value) && value.every((item) => passes(item)), exact };
}

/** Plain objects with the members of the schema and no others: some schemas drop others, and some refuse them. */
function objectOf({ shape, catchall }: z.core.$ZodObjectDef): Compiled {
  const names = Object.keys(shape);
  const members = Object.values(shape).map(compiled);
  const hold = membersHold(
    names,
    members.map(({ passes }) => passes),
  );
  const omissible = names.filter((_, index) => members[index]!.passes(undefined));
  const passes = (value: unknown): boolean => {
    if (!isPlain(value) || !hold(value)) return false;
    const missing = omissible.length === 0 ? [] : omissible.filter((name) => !(name in value));
    if (missing.some((name) => shape[name]!._zod.optin !== 'optional')) return false;
    return Object.keys(value).length === names.length - missing.length;
  };
  const refusesOthers = catchall?._zod.def.type === 'never';
  return { passes, exact: refusesOthers && members.every(({ exact }) => exact) };
}

/**
 * Written out member by member, as zod itself does it: a loop over names takes three times as long, since each read
 * and each call in it is of another kind every time.
 */
function membersHold(
  names: readonly string[],
  members: readonly Passes[],
): (value: Record<string, unknown>) => boolean {
  const parameters = members.map((_, index) => `m${index}`);
  const conditions = names.map((name, index) => `m${index}(value[${JSON.stringify(name)}])`);
  const body = `return (value) => ${conditions.join(' && ') || 'true'};`;
  return new Function(...parameters, body)(...members);
}

function recordOf(key: Compiled, member: Compiled): Compiled {
  return {
    passes: (value) =>
      isPlain(value) &&
      Object.entries(value).every(
        ([name, each]) => name !== '__proto__' && key.passes(name) && member.passes(each),
      ),
    exact: false,
  };
}

function tupleOf(items: readonly Compiled[]): Compiled {
  return {
    passes: (value) =>
      Array.isArray(value) &&
      value.length === items.length &&
      items.every(({ passes }, index) => passes(value[index])),
    exact: false,
  };
}

/** What is made of a class may be written in a form of its own. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The first option that accepts a value makes its form, so those before have to be sure that they do not. */
function unionOf(options: readonly Compiled[]): Compiled {
  const passes = (value: unknown): boolean => {
    for (const { passes, exact } of options) {
      if (passes(value)) return true;
      if (!exact) return false;
    }
    return false;
  };
  return { passes, exact: options.every(({ exact }) => exact) };
}

/** Length, pattern and the like, as the schema itself has them; a check may also change a value, as `trim` does. */
function withChecks(schema: z.core.$ZodType, { passes, exact }: Compiled): Compiled {
  const own = schema as z.core.$ZodType & z.core.$ZodCheck;
  const checks = [
    ...(schema._zod.traits.has('$ZodCheck') ? [own] : []),
    ...(schema._zod.def.checks ?? []),
  ] as z.core.$ZodCheck<unknown>[];
  if (checks.length === 0 || passes === LEFT.passes) return { passes, exact };
  const changes = checks.some(({ _zod }) => _zod.def.check === 'overwrite');
  const [first, ...rest] = checks.map(holdsBy);
  const all: Passes =
    rest.length === 0 ? first! : (value) => first!(value) && rest.every((holds) => holds(value));
  return { passes: (value) => passes(value) && all(value), exact: exact && !changes };
}

/** The frequent checks by their definition, which makes no object for each value; the others as they are. */
function holdsBy(check: z.core.$ZodCheck<unknown>): Passes {
  const { def } = (check as z.core.$ZodChecks | z.core.$ZodCustom)._zod;
  if (def.check === 'string_format' && def.pattern && !def.pattern.global && FORMATS.has(def.format)) {
    const { pattern } = def;
    return (value) => pattern.test(value as string);
  }
  if (def.check === 'max_length') return (value) => (value as string).length <= def.maximum;
  if (def.check === 'min_length') return (value) => (value as string).length >= def.minimum;
  if (def.check === 'custom' && 'fn' in def) {
    const { fn } = def;
    return (value) => (fn(value as never) as unknown) === true;
  }
  return (value) => holds(check, value);
}

/** Formats that say no more than their pattern. */
const FORMATS = new Set(['regex', 'date']);

function holds({ _zod }: z.core.$ZodCheck<unknown>, value: unknown): boolean {
  const payload: z.core.ParsePayload = { value, issues: [] };
  if (_zod.def.when && !_zod.def.when(payload)) return true;
  const waits = _zod.check(payload);
  return waits === undefined && payload.issues.length === 0 && payload.value === value;
}
