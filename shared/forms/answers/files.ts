import { MOST_FIELD_ERRORS } from '../../kernel/failure.ts';
import type { FieldOf } from '../schema/schema.ts';
import { type AnswerFault, sentences, wrong } from './faults.ts';
import type { Reads } from './reads.ts';

/** Reads the IDs of files that were uploaded for this field. */
export function readsFiles({ id: field_id, max_files = 1 }: FieldOf<'file'>): Reads {
  return (value, { files }) => {
    if (!Array.isArray(value)) return wrong('wrong_type', sentences.not_list);
    const faults = value.slice(0, MOST_FIELD_ERRORS).flatMap((id, index): AnswerFault[] => {
      const part = `/${index}`;
      if (typeof id !== 'string') return [{ part, code: 'wrong_type', message: sentences.not_text }];
      if (files.get(id)?.field_id === field_id) return [];
      const message = { en: 'Upload this file again', ja: 'このファイルをもう一度アップロードしてください' };
      return [{ part, code: 'unknown_file', message }];
    });
    if (faults.length > 0) return { faults };
    if (new Set(value).size < value.length) return wrong('invalid_format', sentences.repeated);
    if (value.length > max_files) {
      return wrong('too_many', {
        en: `Upload ${max_files} files or fewer`,
        ja: `ファイルは${max_files}個までです`,
      });
    }
    return { answer: value as string[] };
  };
}
