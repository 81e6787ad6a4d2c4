import type { Dates } from '../days/reach.ts';
import { recordsOf } from '../days/records.ts';
import type { Rules } from '../days/rules.ts';
import type { DayRecord } from '../days/types.ts';
import type { PlansOfMember } from './member-days.ts';

/** The days of a range as they are without sessions: in order, and by date. */
export type Calendar = { days: readonly DayRecord[]; by_date: ReadonlyMap<string, DayRecord> };

/**
 * The days of members on some dates as they are while nothing is recorded. They follow from terms, employment, roster and
 * leave, which most members of an organization share: each such combination is computed once.
 */
export class Calendars {
  private readonly rules: Rules;
  private readonly dates: Dates;
  private readonly known = new Map<string, Calendar>();

  constructor(rules: Rules, dates: Dates) {
    this.rules = rules;
    this.dates = dates;
  }

  /** The days of a member; those of closed periods have the type that they had. */
  of(member: PlansOfMember): Calendar {
    if (member.frozen.length > 0) return this.withFrozen(member);
    const key = this.keyOf(member);
    const known = this.known.get(key);
    if (known) return known;
    const calendar = calendarOf(recordsOf(this.rules, { ...member, sessions: [], overtime: [] }, this.dates));
    this.known.set(key, calendar);
    return calendar;
  }

  /**
   * The same as if a member had no leave, for what asks for types of days and who is employed on them alone: leave decides
   * neither, and is what members share least.
   */
  withoutLeave(member: PlansOfMember): Calendar {
    return this.of({ ...member, leave: [] });
  }

  private withFrozen({ frozen, ...member }: PlansOfMember): Calendar {
    const types = new Map(frozen.map(({ work_date, day_type }) => [work_date, day_type]));
    return calendarOf(
      this.of({ ...member, frozen: [] }).days.map((day) => ({
        ...day,
        day_type: types.get(day.work_date) ?? day.day_type,
      })),
    );
  }

  /** All that decides, cut to the dates: who was hired or got terms before them is as who always had these. */
  private keyOf({ hired_on, left_on, terms, roster, leave }: PlansOfMember): string {
    const { from, to } = this.dates;
    const begun = terms.filter(({ effective_from }) => effective_from <= to);
    const first = begun.findLastIndex(({ effective_from }) => effective_from <= from);
    return JSON.stringify([
      hired_on !== null && hired_on > from ? hired_on : null,
      left_on !== null && left_on < to ? left_on : null,
      begun
        .slice(Math.max(0, first))
        .map(({ effective_from, work_system, schedule_id, deemed_minutes, flexible_limit }) => [
          effective_from <= from ? '' : effective_from,
          work_system,
          schedule_id,
          deemed_minutes,
          flexible_limit,
        ]),
      roster.map(({ date, day_type, schedule_id }) => [date, day_type, schedule_id]),
      leave,
    ]);
  }
}

function calendarOf(days: readonly DayRecord[]): Calendar {
  return { days, by_date: new Map(days.map((day) => [day.work_date, day])) };
}
