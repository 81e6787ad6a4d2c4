/** What calendars hear of a booking by one change: an invitation, or that it is taken back. */
export type Hearing = 'REQUEST' | 'CANCEL';

/** What of a booking decides what calendars hear. */
export type Heard = { status: string; ics_sequence: number };

/**
 * What a change of a booking tells calendars; null for nothing. Confirmed times alone stand in calendars: one that is given
 * up or has to be confirmed again leaves them, and who did not come takes nothing back.
 */
export function hearingOf(before: Heard | null, after: Heard): Hearing | null {
  if (after.status === 'confirmed') return before?.status === 'no_show' ? null : 'REQUEST';
  return before?.status === 'confirmed' && after.status !== 'no_show' ? 'CANCEL' : null;
}

/**
 * `ics_sequence` after a change: one more with each REQUEST or CANCEL after the first, so that no program takes an older
 * text for the newer one (RFC 5545 3.8.7.4). The first is the one by which a booking is confirmed that never was.
 */
export function sequenceAfter(before: Heard | null, after: Heard): number {
  if (!before) return 0;
  if (hearingOf(before, after) === null) return before.ics_sequence;
  const isFirst = before.status === 'pending' && before.ics_sequence === 0;
  return before.ics_sequence + (isFirst ? 0 : 1);
}
