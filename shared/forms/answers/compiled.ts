import { Big } from 'big.js';
import type { Asked, Plan } from '../replay/replay.ts';
import { asksOf, planOf } from '../schema/plan.ts';
import { type Field, fieldsOf, Schema } from '../schema/schema.ts';
import { readsOf } from './field-reads.ts';
import type { Reads } from './reads.ts';

/** A form that answers are judged by: what is worked out once for all of them. */
export type CompiledForm = {
  schema: Schema;
  /** By their IDs in the form's order; `reads` is null where a field has no answer. */
  fields: ReadonlyMap<string, { field: Field; reads: Reads | null }>;
  /** What is replayed, here and on the page. */
  plan: Plan;
  scores: readonly { name: string; initial: Big; add: readonly { if: Asked; value: Big }[] }[];
};

/** Forms of the texts that were judged by last; one takes a few hundred kilobytes at most. */
const MOST_FORMS = 200;
const forms = new Map<string, CompiledForm>();

/**
 * The form of a text that was published, or that `publishFaults` finds nothing wrong with. The texts that were used last are
 * kept by their hash.
 */
export function compiledForm(schema_json: string, sha256: string): CompiledForm {
  const form = forms.get(sha256) ?? compileForm(Schema.parse(JSON.parse(schema_json)));
  forms.delete(sha256);
  forms.set(sha256, form);
  if (forms.size > MOST_FORMS) forms.delete(forms.keys().next().value!);
  return form;
}

/** The form of a schema that `publishFaults` finds nothing wrong with. */
export function compileForm(schema: Schema): CompiledForm {
  const asks = asksOf(schema);
  return {
    schema,
    fields: new Map(fieldsOf(schema).map((field) => [field.id, { field, reads: readsOf(field) }])),
    plan: planOf(schema, asks),
    scores: (schema.scores ?? []).map(({ name, initial, add }) => ({
      name,
      initial: new Big(initial),
      add: add.map((each) => ({ if: asks(each.if), value: new Big(each.value) })),
    })),
  };
}
