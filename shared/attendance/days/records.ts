import { dayOf, instantOf } from '../../kernel/local-time.ts';
import { missedOf, presenceOf } from './absence.ts';
import { bucketsOf } from './buckets.ts';
import { Counting, firstCounted } from './counting.ts';
import { type DayResult, figuresOf, type Stretch } from './day-figures.ts';
import { type DayPlan, type MemberPlans, planOf, plansOf } from './day-plan.ts';
import type { Interval } from './intervals.ts';
import { cutAtNight, nightMinutes } from './night.ts';
import type { Rules } from './rules.ts';
import { piecesOf, plannedInterval, type RoundedSession } from './session-pieces.ts';
import type { DayRecord, MemberDays, Segment } from './types.ts';

/** Which dates are asked for (both inclusive), whether with their minutes, and whether frozen ones are computed too. */
export type Asked = { from: string; to: string; with_segments?: boolean; with_frozen?: boolean };

/**
 * The records of a member on some dates. This one function is what punches, corrections, recalculations, previews and
 * explanations have in common. `member` holds what `daysToRead` names; frozen days are left out of the answer
 * unless asked for: computed again they tell whether a change elsewhere would change them.
 */
export function recordsOf(rules: Rules, member: MemberDays, asked: Asked): DayRecord[] {
  const [from, to] = [dayOf(asked.from), dayOf(asked.to)];
  const plans = plansOf(rules, member);
  const { sessions, pieces, automatic } = piecesOf(plans, member.sessions, member.overtime);
  const buckets = bucketsOf(plans, pieces);
  const approved = member.overtime.map(plannedInterval);
  const own = Map.groupBy(sessions, ({ day }) => day);
  const nightOf = (interval: Interval) => nightMinutes(plans, interval);
  const counting = new Counting(plans);
  const records: DayRecord[] = [];
  for (let day = firstCounted(plans, from, to); day <= to; day += 1) {
    const plan = planOf(plans, day);
    if (plan.frozen && !asked.with_frozen) {
      counting.add(plan, plan.frozen.week_minutes);
      continue;
    }
    const bucket = buckets.get(day) ?? [];
    const near = sessions.filter((one) => isNear(plan, bucket, one));
    const result = figuresOf(plan, bucket, counting.limits(plan), near, approved, nightOf);
    counting.add(plan, plan.frozen?.week_minutes ?? result.figures.week_minutes);
    if (day < from) continue;
    const missed = missedOf(plan, presenceOf(plan, near, bucket), result.figures.worked_minutes);
    records.push({
      ...headOf(plan),
      ...result.figures,
      ...missed,
      sessions: (own.get(day) ?? []).map(({ session }) => session),
      automatic_break_minutes: automatic.get(day) ?? 0,
      segments: asked.with_segments ? segmentsOf(plans, result) : [],
    });
  }
  return records;
}

function headOf(plan: DayPlan) {
  return {
    work_date: plan.date,
    day_type: plan.day_type,
    work_system: plan.system,
    is_employed: plan.is_employed,
    schedule: plan.times?.schedule ?? null,
    leave: plan.leave,
    schedule_minutes: plan.schedule_minutes,
    required_minutes: plan.required_minutes,
  };
}

/** Whether a session may touch a day: its own ones, and those in its window or between its minutes. */
function isNear(plan: DayPlan, bucket: readonly Interval[], session: RoundedSession): boolean {
  if (session.day === plan.day) return true;
  const start = Math.min(bucket[0]?.start ?? plan.start, plan.start);
  const end = Math.max(bucket.at(-1)?.end ?? plan.end, plan.left?.end ?? plan.end, plan.end);
  return session.start < end && start < session.end;
}

/** The stretches of a day as segments: cut at the borders of night, neighbours of one kind together. */
function segmentsOf(plans: MemberPlans, { stretches }: DayResult): Segment[] {
  const parts: (Stretch & { night: boolean })[] = [];
  for (const stretch of stretches) {
    for (const { start, end, night } of cutAtNight(plans, stretch)) {
      const last = parts.at(-1);
      if (last && last.end === start && last.class === stretch.class && last.night === night) last.end = end;
      else parts.push({ start, end, class: stretch.class, night });
    }
  }
  return parts.map(({ start, end, class: name, night }) => ({
    start_at: instantOf(start),
    end_at: instantOf(end),
    class: name,
    night,
  }));
}
