import { Failure } from '../../kernel/failure.ts';
import type { Way } from './ancestors.ts';

/** The latest of some days; null where there is none. */
export function latest(days: readonly (string | null)[]): string | null {
  return days.reduce((last, day) => (day !== null && (last === null || day > last) ? day : last), null);
}

/** The day until which the folders of a way hold what is below them. */
export function heldBy(way: Way): string | null {
  return latest(way.map(({ held_until }) => held_until));
}

/** Whether something is held: on the day itself, too. */
export function isHeld(held_until: string | null, today: string): boolean {
  return held_until !== null && held_until >= today;
}

/** Errors: `retention_active` while something is held. */
export function requireFree(held_until: string | null, today: string): void {
  if (held_until !== null && isHeld(held_until, today)) throw retentionActive(held_until);
}

export function retentionActive(held_until: string): Failure {
  return new Failure('retention_active', {
    detail: { en: `It is held until ${held_until}`, ja: `${held_until}まで保管する必要があります` },
    members: { held_until },
  });
}

/** A day can be set later, never earlier while it is not over. Errors: `retention_active`. */
export function requireLater(before: string | null, after: string | null, today: string): void {
  if (before === null || before < today) return;
  if (after === null || after < before) throw retentionActive(before);
}

/** Something goes where it would be held less. Errors: `retention_active`. */
export function requireHeldAsLong(from: Way, to: Way, today: string): void {
  const before = heldBy(from);
  const after = heldBy(to);
  if (before !== null && before >= today && (after === null || after < before)) throw retentionActive(before);
}
