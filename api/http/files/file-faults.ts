import type { FieldError } from '../../../shared/kernel/failure.ts';
import type { UploadedFile } from '../../../shared/platform/storage/stored-file.ts';
import type { FileField } from './declarations.ts';
import { faultAt } from './form.ts';

/** What its field does not take of a file that has come. */
export function faultsOfFile(
  { field, may_be_empty, takes_malware }: FileField,
  { size, file_name, scan, finding }: UploadedFile,
): FieldError[] {
  if (size === 0 && !may_be_empty) return [faultAt(field, 'empty_file', { en: 'is empty', ja: 'が空です' })];
  if (file_name.length > 255)
    return [
      faultAt(field, 'too_long', {
        en: 'has a name of more than 255 characters',
        ja: 'のファイル名が255文字を超えています',
      }),
    ];
  if (scan === 'quarantined' && !takes_malware)
    return [
      faultAt(field, 'malware', {
        en: `contains malware (${finding}) and is not stored`,
        ja: `からマルウェア（${finding}）が検出されたため、保存しません`,
      }),
    ];
  return [];
}
