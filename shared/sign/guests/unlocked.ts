import { Failure } from '../../kernel/failure.ts';
import { isLocked, type Tries } from './tries.ts';

/** Errors: `access_locked` while wrong codes keep a signer out, whatever is sent. */
export function requireUnlocked(tries: Tries, now: Date): void {
  if (!isLocked(tries, now)) return;
  const { is_locked } = tries;
  const locked_until = is_locked ? null : tries.locked_until;
  const seconds = locked_until && Math.ceil((Date.parse(locked_until) - now.getTime()) / 1_000);
  throw new Failure('access_locked', {
    members: { locked_until },
    ...(seconds && { headers: { 'Retry-After': String(seconds) } }),
  });
}
