import type { Field, Schema } from '../../../shared/forms/schema/schema.ts';
import type { FieldError } from '../../../shared/kernel/failure.ts';
import type { Text } from '../../../shared/kernel/language.ts';
import type { Form } from '../../pages/kit/page.ts';
import { inputName } from './inputs/filling.ts';
import { REFUSED } from './take-upload.ts';
import { words } from './words.ts';

/** What is wrong with the files of a form that were not taken, at their fields. */
export function refusedFiles(form: Form, { pages }: Schema): FieldError[] {
  const fields = pages.flatMap((page): readonly Field[] => page.fields);
  return fields
    .filter(({ type }) => type === 'file')
    .flatMap(({ id }) => {
      const refused = form.all(inputName(id)).find((text) => text.startsWith(REFUSED));
      if (refused === undefined) return [];
      const code = refused.slice(REFUSED.length);
      return [{ in: 'body' as const, path: `/data/${id}`, code, message: sentence(code) }];
    });
}

function sentence(code: string): Text {
  const { ja, en } = words;
  return {
    ja: ja.refused[code] ?? ja.refused['validation_failed']!,
    en: en.refused[code] ?? en.refused['validation_failed']!,
  };
}
