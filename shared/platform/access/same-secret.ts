import { hash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same, in a time that tells neither where they differ nor how long they are. */
export function isSameSecret(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
