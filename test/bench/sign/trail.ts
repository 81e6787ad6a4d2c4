import assert from 'node:assert/strict';
import { documentForUpdate } from '../../../shared/sign/documents/queries.ts';
import { addToTrail, SYSTEM } from '../../../shared/sign/trail/add.ts';
import { startApp } from '../../support/app.ts';
import { inOrganization, pendingSeal } from '../../support/pending-seals.ts';
import { quantile } from '../imports/measuring.ts';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 1_000);
const TIMES = Number(process.env['BENCH_TIMES'] ?? 40);

/** Milliseconds in which a long trail is verified: by its head, which anybody can ask for, and with its document. */
export async function trail(): Promise<string> {
  const app = await startApp();
  const client = await app.actor();
  const { database } = app;
  const { storage } = app.context;
  const document_id = await pendingSeal({ database, storage }, client.actor);
  const head = await inOrganization({ database }, client.actor, async (work) => {
    const { document } = await documentForUpdate(work, document_id);
    const missing = EVENTS - document.trail_length;
    const data = { error: 'mailbox full' };
    addToTrail(
      work,
      document,
      Array.from({ length: missing }, () => ({ type: 'delivery_failed', actor: SYSTEM, data }) as const),
    );
    return document.trail_head;
  });
  const calls = {
    'by its head': () => app.anonymous.post('/sign/verify', { document_id, head }),
    'with its document': () => client.get(`/sign/documents/${document_id}/verify`),
  };
  const lines = [`| a trail of ${EVENTS} events verified | p50 ms | p95 ms | aim |`, '|---|---|---|---|'];
  for (const [name, call] of Object.entries(calls)) {
    const took: number[] = [];
    for (let time = -5; time < TIMES; time += 1) {
      const began = performance.now();
      const { status, body, text } = await call();
      assert.equal(status, 200, text);
      assert.equal(body.verification.trail.length, EVENTS);
      if (time >= 0) took.push(performance.now() - began);
    }
    lines.push(`| ${name} | ${quantile(took, 0.5).toFixed(1)} | ${quantile(took, 0.95).toFixed(1)} | 100 |`);
  }
  return lines.join('\n');
}
