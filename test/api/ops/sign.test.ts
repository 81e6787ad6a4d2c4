import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { clockBefore, insertRow, MINUTE } from '../../support/lively-rows.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';

const { at } = clockBefore(new Date());
const HOUR = 60 * MINUTE;
const app = await startApp({ environment: WITH_OPERATORS });

before(async () => {
  const { actor } = await app.actor();
  const { organization_id } = actor;
  await app.database.withConnection('*', async ({ query }) => {
    for (const [id, sealing_status, sealing_since] of [
      ['doc_open', 'none', null],
      ['doc_failed', 'failed', null],
      ['doc_behind', 'pending', at(2 * HOUR)],
      // Of just now, however long the files before this one take in the same process.
      ['doc_sealing', 'pending', at(-HOUR)],
    ] as const) {
      await insertRow(query, 'sign_documents', {
        organization_id,
        id,
        title: 'secret contract',
        status: 'sent',
        locale: 'ja',
        time_zone: 'Asia/Tokyo',
        visibility: 'private',
        allow_forward: false,
        reminders: {},
        sealing_status,
        sealing_since,
        trail_head: '0'.repeat(64),
        search_text: '',
        search_grams: [],
        sent_at: at(9 * HOUR),
        created_at: at(9 * HOUR),
        updated_at: at(3 * HOUR),
      });
    }
    for (const [id, delivery, next_reminder_at, status] of [
      ['signer_unknown', 'unknown', null, 'notified'],
      ['signer_behind', 'sent', at(HOUR), 'notified'],
      ['signer_ended', 'unknown', null, 'cancelled'],
    ] as const) {
      await insertRow(query, 'sign_signers', {
        organization_id,
        id,
        document_id: 'doc_open',
        position: id.length,
        key: id,
        name: 'secret signer',
        role: 'signer',
        order_group: 1,
        auth: 'none',
        locale: 'ja',
        time_zone: 'Asia/Tokyo',
        status,
        delivery,
        notified_at: at(4 * HOUR),
        next_reminder_at,
        created_at: at(9 * HOUR),
      });
    }
  });
});

describe('the documents for signing of all organizations', () => {
  test('are a panel of what waits and failed, with ages and without names', async () => {
    const text = await (await fetchAsOperator(`${app.base_url}/ops`)).text();
    const panel = text.slice(text.indexOf('Sign of all organizations'));
    for (const [title, value, age] of [
      ['Documents that are out for signing', 4, 9],
      ['Sealings that failed', 1, 3],
      ['Sealings behind', 1, 2],
      ['Signers whose mail may not have arrived', 1, 4],
      ['Reminders of signers behind', 1, 1],
    ] as const) {
      assert.match(
        panel,
        new RegExp(`${title}(?:(?!</tr>)[\\s\\S])*?>${value}<(?:(?!</tr>)[\\s\\S])*?${age} h ago`),
      );
    }
    assert.doesNotMatch(panel, /secret/);
  });

  test('are numbers at /metrics', async () => {
    const told = await (await fetch(`${app.base_url}/metrics`)).text();
    assert.match(told, /^sign_documents_open 4$/m);
    assert.match(told, /^sign_sealings_failed_oldest_seconds 1(0[89]|[1-3]\d)\d\d\b/m);
    assert.match(
      told,
      /^# HELP sign_sealings_failed_oldest_seconds .*: how long ago the oldest had its last change;/m,
    );
    assert.doesNotMatch(told, /\[object/);
  });
});
