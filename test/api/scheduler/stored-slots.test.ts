import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Block, Question } from '../../../shared/scheduler/slots/types.ts';
import { startApp } from '../../support/app.ts';
import { PLACES, type SlotCase, slotCase } from '../../support/random-slots.ts';
import { storeQuestion } from '../../support/stored-slots.ts';

/** How many random questions are stored: SLOT_QUESTIONS=1000 takes a minute. */
const QUESTIONS = Number(process.env['SLOT_QUESTIONS'] ?? 40);

let clock = 0;
const app = await startApp({ now: () => new Date(clock) });
const owner = await app.actor();
const { organization_id } = owner.actor;
const colleagues = [await app.actor({ organization_id }), await app.actor({ organization_id })];
const user_ids = [owner, ...colleagues].map(({ actor }) => actor.user_id);

test('what is offered of stored records is what the preview of the same offers', async () => {
  let offered = 0;
  await fc.assert(
    fc.asyncProperty(slotCase(PLACES), async (random: SlotCase) => {
      const { question, from, to } = storable(random);
      clock = question.now;
      const id = await storeQuestion(app.database, { organization_id, user_ids }, question);
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const stored = await owner.get(`/scheduler/event-types/${id}/slots?${new URLSearchParams(range)}`);
      const preview = await owner.post('/scheduler/slots/preview', previewOf(question, range));
      assert.equal(preview.status, 200, preview.text);
      assert.equal(stored.status, 200, stored.text);
      assert.deepEqual(stored.body, preview.body);
      offered += stored.body.slots.length;
    }),
    { numRuns: QUESTIONS, seed: 62 },
  );
  assert.ok(offered > QUESTIONS, 'hardly anything was offered');
});

/** The same question as far as records can hold it, and without what a preview does not have: seats, broken calendars. */
function storable({ question, from, to }: SlotCase): SlotCase {
  const hosts = question.hosts.map((host, place) => {
    const blocks = host.blocks.map((block, index) => ({ ...block, id: `${place}${index}` }));
    return { ...host, calendar_works: true, blocks: apart(blocks).map(withoutBuffers) };
  });
  const event_type = { ...question.event_type, seats_per_slot: 1 };
  return { question: { ...question, event_type, hosts, sessions: [], counted: [] }, from, to };
}

/** No two bookings or holds of a member overlap; the rest may. */
function apart(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  for (const block of blocks) {
    const taken = kept.some(
      (other) => isOccupancy(other) && other.start < block.end && block.start < other.end,
    );
    if (block.start < block.end && !(isOccupancy(block) && taken)) kept.push(block);
  }
  return kept;
}

function isOccupancy({ kind }: Block): boolean {
  return kind === 'booking' || kind === 'hold';
}

function withoutBuffers(block: Block): Block {
  if (isOccupancy(block)) return block;
  const kind = block.kind === 'leave' ? 'external' : block.kind;
  return { ...block, kind, buffer_before_minutes: 0, buffer_after_minutes: 0 };
}

function previewOf({ now, event_type, hosts }: Question, range: { from: string; to: string }) {
  const { seats_per_slot: _, ...rules } = event_type;
  return {
    now: new Date(now).toISOString(),
    ...range,
    event_type: rules,
    hosts: hosts.map(({ calendar_works: _, blocks, ...host }) => ({
      ...host,
      busy: blocks.map(({ kind, id, start, end, buffer_before_minutes, buffer_after_minutes }) => ({
        start: new Date(start).toISOString(),
        end: new Date(end).toISOString(),
        buffer_before_minutes,
        buffer_after_minutes,
        booking: kind === 'booking' ? id : null,
      })),
    })),
  };
}
