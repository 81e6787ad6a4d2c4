/**
 * Why the service cannot go on, told in one sentence to the person who started it.
 * A command prints the sentence without a stack trace and ends with code 1.
 */
export class Refusal extends Error {
  override name = 'Refusal';
}

/** The operating system's words for a failed call, without the path (callers name it), e.g. "permission denied (EACCES)". */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words = /^\w+: ([^,]+)/.exec(message ?? '')?.[1];
  return words && code ? `${words} (${code})` : String(message ?? error);
}
