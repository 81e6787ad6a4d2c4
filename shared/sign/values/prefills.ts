import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import type { FieldValue } from '../documents/values.ts';
import { remadeValue } from './images.ts';

/**
 * The fields of a request with the images of their values made anew, as those of guests are: what cannot be read would keep the
 * document from being sealed once all have signed. To be called before the transaction. Errors: `validation_failed` at the value
 * of each field whose image is broken or too large.
 */
export async function remadePrefills<Sent extends { value?: FieldValue | null | undefined }>(
  fields: readonly Sent[],
): Promise<Sent[]> {
  const faults: FieldError[] = [];
  const remade: Sent[] = [];
  for (const [place, field] of fields.entries()) {
    const value = field.value == null ? field.value : await remadeValue(field.value);
    if (value === null && field.value !== null) faults.push(brokenImage(place));
    remade.push(field.value == null ? field : { ...field, value });
  }
  if (faults.length > 0) throw invalidAll(faults);
  return remade;
}

function brokenImage(place: number): FieldError {
  return {
    in: 'body',
    path: `/fields/${place}/value`,
    code: 'broken_image',
    message: {
      en: `fields.${place}.value is no whole image`,
      ja: `fields.${place}.value の画像が壊れているか、大きすぎます`,
    },
  };
}
