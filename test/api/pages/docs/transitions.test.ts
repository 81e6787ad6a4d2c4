import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TRANSITIONS_GUIDE, transitionsGuide } from '../../../../api/pages/docs/transitions.ts';
import { transitions } from '../../../../shared/invoicing/transitions/table.ts';

test('the guide has every transition of documents as the code has it', () => {
  const guide = readFileSync(TRANSITIONS_GUIDE, 'utf8');
  assert.ok(guide === transitionsGuide(), 'the guide is stale: run "npm run openapi" and commit the file');
  for (const { action, effect } of transitions) {
    assert.ok(guide.includes(`| \`${action}\` |`), action);
    assert.ok(guide.includes(effect), effect);
  }
});
