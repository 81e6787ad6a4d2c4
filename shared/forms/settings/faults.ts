import type { FieldError } from '../../kernel/failure.ts';
import { crmMapFaults } from './crm-map.ts';
import { fault, type Known, required, unknownField } from './fault.ts';
import type { KeptSettings } from './record.ts';

/**
 * What is wrong with the settings of a form, as far as they changed: a field that has gone since does not keep the others
 * from changing.
 */
export function settingsFaults(before: KeptSettings, after: KeptSettings, known: Known): FieldError[] {
  const changed = (...names: (keyof KeptSettings)[]) => names.some((name) => before[name] !== after[name]);
  return [
    ...(changed('opens_at', 'closes_at') ? periodFaults(after) : []),
    ...(changed('one_per', 'one_per_field') ? personFaults(after, known) : []),
    ...(changed('receipt_mail') ? receiptFaults(after, known) : []),
    ...(changed('crm') ? crmMapFaults(after.crm, known) : []),
    ...(changed('mailing_list') ? mailingListFaults(after, known) : []),
  ];
}

function periodFaults({ opens_at, closes_at }: KeptSettings): FieldError[] {
  if (opens_at === null || closes_at === null || opens_at < closes_at) return [];
  return [
    fault('/closes_at', 'too_small', {
      en: 'closes_at must be after opens_at',
      ja: 'closes_at は opens_at より後の日時で指定してください',
    }),
  ];
}

function personFaults({ one_per, one_per_field }: KeptSettings, known: Known): FieldError[] {
  if (one_per_field === null) {
    return one_per === 'none' ? [] : [required('/one_per_field')];
  }
  return fieldFaults('/one_per_field', one_per_field, 'email', known);
}

function receiptFaults({ receipt_mail: { enabled, field_id } }: KeptSettings, known: Known): FieldError[] {
  const path = '/receipt_mail/field_id';
  if (field_id === null) return enabled ? [required(path)] : [];
  return fieldFaults(path, field_id, 'email', known);
}

function mailingListFaults({ mailing_list }: KeptSettings, known: Known): FieldError[] {
  if (mailing_list === null) return [];
  return [
    ...fieldFaults('/mailing_list/email_field', mailing_list.email_field, 'email', known),
    ...fieldFaults('/mailing_list/consent_field', mailing_list.consent_field, 'consent', known),
  ];
}

/** That a setting names a field of a type. */
function fieldFaults(path: string, id: string, type: string, { fields }: Known): FieldError[] {
  const found = fields.get(id);
  if (!found) return [unknownField(path, id)];
  if (found.type === type) return [];
  return [
    fault(path, 'wrong_type', {
      en: `${id} is a field of type ${found.type}; it must be ${type}`,
      ja: `${id} は ${found.type} のフィールドです。${type} のフィールドを指定してください`,
    }),
  ];
}
