import { Failure } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import { refusalsOfStore } from './refusals.ts';
import { type Storage, StoredFileMissing } from './storage.ts';

const NOT_THERE: Text = {
  en: 'The content of the file is missing from the store; the operator can bring it back from a backup',
  ja: 'ファイルの内容が保存先にありません。運用担当者がバックアップから復元できます',
};

/** Seconds after which a caller may ask again: somebody has to bring the file back first. */
const RESTORED_AFTER = 60 * 60;

/** The error of reading a file that a record names, as a caller is told it: `unavailable` where the store does not have it. */
export function unfound(error: unknown, key: string): unknown {
  if (!(error instanceof StoredFileMissing)) return error;
  return new Failure('unavailable', {
    detail: NOT_THERE,
    headers: { 'Retry-After': String(RESTORED_AFTER) },
    cause: error,
    trouble: { kind: 'storage', sentence: refusalsOfStore.lacks(key).en },
  });
}

/** The bytes of a file that a record names. Errors: `unavailable` where the store does not have it. */
export function readNamed(storage: Storage, key: string): ReturnType<Storage['read']> {
  return storage.read(key).catch((error) => {
    throw unfound(error, key);
  });
}
