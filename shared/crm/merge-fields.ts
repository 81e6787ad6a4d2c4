import { type FieldError, invalidAll } from '../kernel/failure.ts';
import { type Metadata, MOST_METADATA } from '../kernel/own-keys.ts';
import { inStoredOrder } from '../kernel/stored-order.ts';
import type { CustomFieldValues } from './custom-fields/values.ts';

/** For each field the ID of the one of the two records that it is taken from. */
export type FieldChoices = Readonly<Record<string, string>>;

type Mergeable = { id: string; custom_fields: CustomFieldValues; metadata: Metadata };

/**
 * The values of a record after another was merged into it: its own, empty ones filled from the loser, and each
 * chosen field from the record that the choice names. Custom fields and metadata are filled one by one.
 * Errors: `validation_failed` at /fields/<field> for what is not a field of `names`, or neither of the two IDs.
 */
export function mergeFields<Record_ extends Mergeable>(
  survivor: Record_,
  loser: Record_,
  names: readonly (keyof Record_ & string)[],
  choices: FieldChoices,
): Record_ {
  const faults = choiceFaults(survivor.id, loser.id, names, choices);
  if (faults.length > 0) throw invalidAll(faults);
  const merged = { ...survivor };
  for (const name of names) {
    const chosen = Object.hasOwn(choices, name) ? choices[name] : null;
    if (chosen === loser.id || (chosen === null && isEmpty(name, survivor[name]))) merged[name] = loser[name];
  }
  if (!Object.hasOwn(choices, 'custom_fields')) {
    merged.custom_fields = inStoredOrder({ ...loser.custom_fields, ...survivor.custom_fields });
  }
  if (!Object.hasOwn(choices, 'metadata'))
    merged.metadata = metadataTogether(survivor.metadata, loser.metadata);
  return merged;
}

/** The entries of both, as many as a record may have; those of the survivor come first. */
function metadataTogether(survivor: Metadata, loser: Metadata): Metadata {
  const entries = new Map([...Object.entries(survivor), ...Object.entries({ ...loser, ...survivor })]);
  return inStoredOrder(Object.fromEntries([...entries].slice(0, MOST_METADATA)));
}

/** An empty honorific is a choice: none. */
function isEmpty(name: string, value: unknown): boolean {
  return value === null || (value === '' && name !== 'honorific');
}

function choiceFaults(
  survivor_id: string,
  loser_id: string,
  names: readonly string[],
  choices: FieldChoices,
): FieldError[] {
  return Object.entries(choices).flatMap(([name, id]): FieldError[] => {
    const path = `/fields/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!names.includes(name)) {
      return [
        {
          in: 'body',
          path,
          code: 'unknown_field',
          message: {
            en: `${name} is no field that can be chosen`,
            ja: `${name} は選択できる項目ではありません`,
          },
        },
      ];
    }
    if (id === survivor_id || id === loser_id) return [];
    const message = {
      en: `fields.${name} must be ${survivor_id} or ${loser_id}`,
      ja: `fields.${name} には ${survivor_id} か ${loser_id} を指定してください`,
    };
    return [{ in: 'body', path, code: 'invalid_value', message }];
  });
}
