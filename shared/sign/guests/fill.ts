import { notFound } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import type { Field } from '../documents/record.ts';
import { SignFieldModel } from '../documents/rows.ts';
import { fieldOf } from '../documents/shown.ts';
import { lockForGuest } from './locked.ts';
import type { Guest } from './seen.ts';
import { type JudgedValues, refuseValues, requireRoom } from './values.ts';

/**
 * Keeps the value of one field until its signer signs: no change of the document yet, so nobody is told. Errors: `not_found`, also
 * for the field of somebody else; those of `requireStanding`; `validation_failed` at `/value`.
 */
export async function saveField(
  work: Work,
  guest: Guest,
  field_id: string,
  { values, faults }: JudgedValues,
): Promise<Field> {
  const { stored, seen } = await lockForGuest(work, guest, 'act');
  const field = stored.fields.find(({ id, signer_id }) => id === field_id && signer_id === seen.id);
  if (!field) throw notFound();
  refuseValues(faults, () => '/value');
  const kept = values.has(field.id) ? { ...field, value: values.get(field.id)! } : field;
  const own = stored.fields.filter(({ signer_id }) => signer_id === seen.id);
  requireRoom(
    own.map((one) => (one.id === kept.id ? kept : one)),
    '/value',
  );
  if (kept !== field) work.update(SignFieldModel, field.id, { value: kept.value });
  work.nothingChanged();
  return fieldOf(kept);
}
