import type { Asked, Plan, PlannedField } from '../replay/replay.ts';
import { askedLeaf, type Subject, subjectsOf } from './asked.ts';
import type { Condition } from './condition.ts';
import type { Field, Schema } from './schema.ts';

/** What turns a condition of a schema into one that is replayed. */
export type Asks = (condition: Condition) => Asked;

/** The conditions of a schema that can be published, with values in the form that answers are stored in. */
export function asksOf(schema: Schema): Asks {
  const subjects = subjectsOf(schema);
  return (condition) => asked(condition, (name) => subjects.get(name)!.subject);
}

/** What is replayed of a schema that can be published: JSON, which pages are given too. */
export function planOf(schema: Schema, asks: Asks): Plan {
  const { pages, endings = [] } = schema;
  return {
    pages: pages.map(({ id, show_if, fields, next = [] }) => ({
      id,
      ...(show_if && { show_if: asks(show_if) }),
      fields: fields.map((field) => plannedField(field, asks)),
      next: next.map((rule) => ({ ...(rule.if && { if: asks(rule.if) }), to: rule.to })),
    })),
    endings: endings.map((ending) => ({ id: ending.id, ...(ending.if && { if: asks(ending.if) }) })),
  };
}

function plannedField({ id, show_if, required, required_if }: Field, asks: Asks): PlannedField {
  return {
    id,
    ...(show_if && { show_if: asks(show_if) }),
    ...(required && { required }),
    ...(required_if && { required_if: asks(required_if) }),
  };
}

function asked(condition: Condition, subject: (name: string) => Subject): Asked {
  if ('all' in condition) return { all: condition.all.map((each) => asked(each, subject)) };
  if ('any' in condition) return { any: condition.any.map((each) => asked(each, subject)) };
  if ('not' in condition) return { not: asked(condition.not, subject) };
  return askedLeaf(condition, subject(condition.field)) as Asked;
}
