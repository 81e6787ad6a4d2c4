import type { FieldError } from '../../kernel/failure.ts';
import type { Field } from '../schema/schema.ts';
import { fault, type Known, required, unknownField } from './fault.ts';
import { partsIn } from './fields.ts';
import type { KeptSettings } from './record.ts';

/** What of a contact answers can fill; beside these `custom_fields.KEY`. */
export const mappedFields = [
  'email',
  'last_name',
  'first_name',
  'last_name_kana',
  'first_name_kana',
  'full_name',
  'company_name',
  'phone',
  'position',
  'note',
] as const;

const CUSTOM = /^custom_fields\.(.+)$/;

/** Types whose answers are no text that a contact could have. */
const UNMAPPED = new Set(['statement', 'file', 'matrix', 'ranking']);

/**
 * What is wrong with the map from answers to a contact: each key is a field of contacts, each value a field of the form or a
 * part of one; to turn it on it needs an e-mail address, and the name in two parts or whole.
 */
export function crmMapFaults({ enabled, map }: KeptSettings['crm'], known: Known): FieldError[] {
  const faults = Object.entries(map).flatMap(([to, from]) => entryFaults(to, from, known));
  return enabled ? [...faults, ...missing(map)] : faults;
}

function entryFaults(to: string, from: string, known: Known): FieldError[] {
  const path = `/crm/map/${to.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const custom = CUSTOM.exec(to)?.[1];
  const isKnown =
    custom === undefined ? mappedFields.some((name) => name === to) : known.custom_fields.includes(custom);
  if (!isKnown) {
    return [
      fault(path, 'unknown_field', {
        en: `${to} is not a field of contacts`,
        ja: `${to} は連絡先の項目ではありません`,
      }),
    ];
  }
  const [id = '', ...parts] = from.split('.');
  const field = known.fields.get(id);
  if (!field) return [unknownField(path, id)];
  if (fits(to, field, parts)) return [];
  return [
    fault(path, 'wrong_type', {
      en: `${from} cannot fill ${to}: it is of type ${field.type}`,
      ja: `${from}（${field.type}）は ${to} に使えません`,
    }),
  ];
}

function fits(to: string, field: Field, parts: readonly string[]): boolean {
  const { type } = field;
  if (UNMAPPED.has(type)) return false;
  if (to === 'email') return type === 'email' && parts.length === 0;
  const known = partsIn(field);
  if (parts.length === 0) return known === null || (to === 'full_name' && type === 'name');
  return parts.length === 1 && (known?.includes(parts[0]!) ?? false);
}

function missing(map: KeptSettings['crm']['map']): FieldError[] {
  const has = (name: string) => Object.hasOwn(map, name);
  const hasName = has('full_name') || (has('last_name') && has('first_name'));
  return [
    ...(has('email') ? [] : [required('/crm/map/email')]),
    ...(hasName
      ? []
      : [
          fault('/crm/map', 'required', {
            en: 'last_name with first_name, or full_name, is required',
            ja: 'last_name と first_name、または full_name が必要です',
          }),
        ]),
  ];
}
