import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEFORE_FIRST, type Chained, firstBadSeq, hashOfEvent } from '../../../shared/sign/trail/chain.ts';

const sent = {
  document_id: 'doc_x',
  seq: 1,
  type: 'sent',
  actor: { type: 'user' as const, id: 'usr_x', name: '佐藤' },
  ip_address: null,
  user_agent: null,
  at: '2026-12-01T01:23:45.678Z',
  data: {
    file_sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    signers: 2,
  },
};

test('An event has the hash that the description of the trail states, whatever the order of its members', () => {
  const hash = '32abe5349e21bcf228bce9397e5a03a6c651e932ca979861d63dc18caa6f7977';
  assert.equal(hashOfEvent(BEFORE_FIRST, sent), hash);
  const { data, actor, ...rest } = sent;
  const turned = { actor: { name: actor.name, id: actor.id, type: actor.type }, data, ...rest };
  assert.equal(hashOfEvent(BEFORE_FIRST, turned), hash);
});

test('A changed, missing or exchanged event is named by its place', () => {
  const events: Chained[] = [];
  let before = BEFORE_FIRST;
  for (const seq of [1, 2, 3, 4]) {
    const event = { ...sent, seq, type: seq === 1 ? 'sent' : 'opened' };
    const hash = hashOfEvent(before, event);
    events.push({ ...event, prev_hash: before, hash });
    before = hash;
  }
  assert.equal(firstBadSeq(events), null);
  assert.equal(firstBadSeq([]), null);
  const changed = events.map((event) => (event.seq === 3 ? { ...event, ip_address: '203.0.113.7' } : event));
  assert.equal(firstBadSeq(changed), 3);
  assert.equal(firstBadSeq(events.toSpliced(1, 1)), 2);
  assert.equal(firstBadSeq(events.toSpliced(0, 1)), 1);
  assert.equal(firstBadSeq([events[0]!, events[2]!, events[1]!, events[3]!]), 2);
  const rehashed = { ...changed[2]!, hash: hashOfEvent(changed[2]!.prev_hash, changed[2]!) };
  assert.equal(firstBadSeq(changed.with(2, rehashed)), 4);
});
