import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../../../../shared/kernel/turns.ts';
import { startsOf } from '../../../../shared/scheduler/slots/starts.ts';
import { reasons } from '../../../../shared/scheduler/slots/types.ts';
import { PLACES, type Place, type SlotCase, slotCase } from '../../../support/random-slots.ts';

/** How many questions are tried: SLOT_QUESTIONS=10000 takes two minutes. */
const QUESTIONS = Number(process.env['SLOT_QUESTIONS'] ?? 200);
const SEED = Number(process.env['SLOT_SEED'] ?? 62);

const HOUR = 60 * 60_000;
const DAY = 24 * 60 * 60_000;

const oracle = spawn('python3', [join(import.meta.dirname, 'minute_oracle.py')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = createInterface({ input: oracle.stdout })[Symbol.asyncIterator]();
after(() => oracle.stdin.end());

async function told<Answer>(question: unknown): Promise<Answer> {
  oracle.stdin.write(`${JSON.stringify(question)}\n`);
  const { value, done } = await answers.next();
  assert.ok(!done, 'the oracle ended');
  return JSON.parse(value);
}

/** The places whose clocks are the same in the time zone database of Python, on all dates that are tried. */
async function knownAlike(): Promise<Place[]> {
  const alike = new Set(PLACES.map(({ time_zone }) => time_zone));
  const zones = [...alike];
  for (const date of new Set(PLACES.flatMap(({ dates }) => dates))) {
    const [from, to] = [Date.parse(date) - 4 * DAY, Date.parse(date) + 4 * DAY];
    const offsets = await told<number[][]>({ zones, from, to });
    zones.forEach((zone, index) => {
      const same = offsets[index]!.every((minutes, hour) => offsetAt(zone, from + hour * HOUR) === minutes);
      if (!same) alike.delete(zone);
    });
  }
  return PLACES.filter(({ time_zone }) => alike.has(time_zone));
}

function offsetAt(time_zone: string, instant: number): number {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(time_zone);
  return at.offsetNanoseconds / 60e9;
}

test(`a loop over minutes, written from the rules alone, answers ${QUESTIONS} questions alike`, async () => {
  const places = await knownAlike();
  assert.ok(places.length > PLACES.length / 2, 'the databases of time zones hardly agree');
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(slotCase(places), async ({ question, from, to }: SlotCase) => {
      const starts = startsOf(question);
      const [offered, explained] = [atOnce(starts.offered(from, to)), atOnce(starts.explained(from, to))];
      assert.deepEqual({ offered, explained }, await told({ question, from, to }));
      for (const reason of new Set(explained.map(({ reason }) => reason ?? 'bookable')))
        seen.set(reason, (seen.get(reason) ?? 0) + 1);
    }),
    { numRuns: QUESTIONS, seed: SEED, endOnFailure: process.env['SHRINK'] === undefined },
  );
  const rare = reasons.filter((reason) => reason !== 'not_aligned' && !seen.has(reason));
  assert.deepEqual(
    rare,
    [],
    'every reason is among the answers, but the one that aligned minutes cannot have',
  );
  assert.ok(seen.has('bookable'));
});
