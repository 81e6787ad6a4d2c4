import { getSystemErrorMessage } from 'node:util';

/**
 * Why the service cannot start, in one sentence for the person who started it.
 * A command prints the sentence without a stack trace and ends with code 1.
 */
export class StartupError extends Error {
  override name = 'StartupError';
}

/** The operating system's words for a failed call, e.g. "permission denied (EACCES)". */
export function systemReason(error: unknown): string {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  return errno === undefined ? String(message ?? error) : `${getSystemErrorMessage(errno)} (${code})`;
}
