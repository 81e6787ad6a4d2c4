import fc from 'fast-check';
import type { Grant, Taking } from '../../../../shared/attendance/leave/rules/uses.ts';

/** Days of three years, as dates. */
export function day(number: number): string {
  return Temporal.PlainDate.from('2025-01-01').add({ days: number }).toString();
}

/** Some grants, of halves of days, that hold for up to two years; now and then one without days. */
export const grantHistories: fc.Arbitrary<Grant[]> = fc
  .array(
    fc.record({
      granted: fc.nat(900),
      length: fc.integer({ min: 0, max: 730 }),
      halves: fc.nat(8),
      none: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    }),
    { maxLength: 5 },
  )
  .map((all) =>
    all.map(({ granted, length, halves, none }, index) => ({
      id: `lgrant_${index}`,
      granted_on: day(granted),
      expires_on: none ? null : day(granted + length),
      days: none ? 0 : halves / 2,
    })),
  );

type Kind = 'full' | 'half' | 'hours';

/** Requests that do not overlap: a step to the first day, then days one after the other, or hours of one. */
export const takingsOf = (
  kinds: readonly Kind[],
  { gap: max, most }: { gap: number; most: number },
): fc.Arbitrary<Taking[]> =>
  fc
    .array(
      fc.record({
        gap: fc.integer({ min: 1, max }),
        kind: fc.constantFrom(...kinds),
        count: fc.integer({ min: 1, max: 4 }),
        hours: fc.integer({ min: 1, max: 6 }),
      }),
      { maxLength: most, size: 'max' },
    )
    .map((all) => {
      let number = 0;
      return all.map(({ gap, kind, count, hours }, index): Taking => {
        number += gap;
        const first = number;
        const length = kind === 'full' ? count : 1;
        number += length;
        const days = Array.from({ length }, (_, each) => ({
          date: day(first + each),
          halves: kind === 'full' ? 2 : kind === 'half' ? 1 : 0,
          hours: kind === 'hours' ? hours : 0,
        }));
        return { id: `lreq_${index}`, start_minute: 0, days };
      });
    });

export const takingHistories = takingsOf(['full', 'half', 'hours'], { gap: 120, most: 14 });

/** The same, in any order. */
export const shuffledTakings = takingHistories.chain((all) =>
  fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
);

/** A grant on paper: slips of half a day each, and one for every hour of an opened day. */
type Paper = { grant: Grant; halves: number; hours: number };

/** What is left on paper of each grant, and which requests did not fit. */
export type OnPaper = { left: Map<string, { halves: number; hours: number }>; unfit: Set<string> };

/**
 * The rules once more, as somebody would keep them on paper: slips are taken one by one from the oldest grant that holds,
 * a day is opened by turning its slips into hours, and a request that does not get all gives its slips back.
 */
export function onPaper(
  grants: readonly Grant[],
  takings: readonly Taking[],
  hours_per_day: number,
): OnPaper {
  let paper: Paper[] = grants.map((grant) => ({ grant, halves: grant.days * 2, hours: 0 }));
  const unfit = new Set<string>();
  const byDate = [...takings].sort((a, b) => (a.days[0]!.date < b.days[0]!.date ? -1 : 1));
  for (const { id, days } of byDate) {
    const copy = structuredClone(paper);
    if (days.every(({ date, halves, hours }) => takeOnPaper(copy, date, halves, hours, hours_per_day))) {
      paper = copy;
    } else unfit.add(id);
  }
  return { left: new Map(paper.map(({ grant, halves, hours }) => [grant.id, { halves, hours }])), unfit };
}

function takeOnPaper(paper: Paper[], date: string, halves: number, hours: number, hours_per_day: number) {
  const holding = paper
    .filter(({ grant }) => grant.expires_on !== null)
    .filter(({ grant }) => grant.granted_on <= date && date <= grant.expires_on!)
    .sort((a, b) => `${a.grant.granted_on}${a.grant.id}`.localeCompare(`${b.grant.granted_on}${b.grant.id}`));
  for (let slip = 0; slip < halves; slip += 1) {
    const from = holding.find((one) => one.halves > 0);
    if (!from) return false;
    from.halves -= 1;
  }
  for (let slip = 0; slip < hours; slip += 1) {
    const from = holding.find((one) => one.hours > 0 || one.halves > 0);
    if (!from) return false;
    if (from.hours === 0) {
      const opened = Math.min(from.halves, 2);
      from.halves -= opened;
      from.hours += opened === 2 ? hours_per_day : Math.ceil(hours_per_day / 2);
    }
    from.hours -= 1;
  }
  return true;
}
