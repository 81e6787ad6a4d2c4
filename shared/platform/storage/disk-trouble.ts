import { Failure } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import { systemReason } from '../../kernel/startup-error.ts';
import { refusalsOfStore } from './refusals.ts';

/** What the system says of a disk that is full, broken, not there, or not the service's own. */
const DISK = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EIO',
  'EROFS',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'ESTALE',
]);

const NOT_STORED: Record<'nothing' | 'arrived', Text> = {
  nothing: {
    en: 'The file could not be stored; nothing of it was kept',
    ja: 'ファイルを保存できませんでした。内容は残っていません',
  },
  arrived: {
    en: 'The file could not be stored just now; what had arrived is kept',
    ja: 'ファイルを保存できませんでした。すでに届いた部分は残っています',
  },
};

export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The error of a write as its caller is told it: `unavailable` where it is the disk's, after which so much is kept. */
export function unwritten(error: unknown, kept: 'nothing' | 'arrived'): unknown {
  // A folder that cannot be made is absent; an absent socket of the body has no path.
  const is_disk = isDisk(error) || (isAbsent(error) && 'path' in (error as object));
  return is_disk ? unavailable(error, NOT_STORED[kept], refusalsOfStore.cannot_write) : error;
}

/** The same for what is read. */
export function unread(error: unknown): unknown {
  return isDisk(error) ? unavailable(error, NOT_READ, refusalsOfStore.cannot_read) : error;
}

const NOT_READ: Text = {
  en: 'The file storage is unavailable',
  ja: 'ファイルの保存先を利用できません',
};

function isDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK.has(String(error.code));
}

function unavailable(cause: unknown, detail: Text, told: (why: string) => Text): Failure {
  return new Failure('unavailable', {
    detail,
    headers: { 'Retry-After': '60' },
    cause,
    trouble: { kind: 'storage', sentence: told(systemReason(cause)).en },
  });
}
