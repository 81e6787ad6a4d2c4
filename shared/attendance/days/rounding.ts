import { clockAt, type Zone } from '../../kernel/local-time.ts';
import type { DatedSettings, Rounding } from './types.ts';

/**
 * A minute put on the grid of the local clock: down, up, or left as it is. The units (1, 5, 10, 15, 30) divide the hour and
 * clocks change by half hours and hours, so the grid runs on through a change.
 */
export function rounded(zone: Zone, minute: number, unit: number, rounding: Rounding): number {
  if (unit === 1 || rounding === 'none') return minute;
  const over = clockAt(zone, minute) % unit;
  if (over === 0) return minute;
  return rounding === 'floor' ? minute - over : minute - over + unit;
}

/** Whether the settings count less than what was worked: Labour Standards Act art. 24 has wages paid in full. */
export function isRoundingUnfavourable(
  settings: Pick<DatedSettings, 'rounding' | 'early_clock_in'>,
): boolean {
  const { unit_minutes, clock_in, clock_out, break_start, break_end } = settings.rounding;
  const cutsWork =
    clock_in === 'ceil' || break_end === 'ceil' || clock_out === 'floor' || break_start === 'floor';
  return (unit_minutes > 1 && cutsWork) || settings.early_clock_in === 'ignore_unless_approved';
}
