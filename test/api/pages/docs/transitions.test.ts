import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { transitionsGuides } from '../../../../api/pages/docs/transitions.ts';
import { transitions } from '../../../../shared/invoicing/transitions/table.ts';

test('the guides have every transition as the code has it', () => {
  for (const [path, wanted] of Object.entries(transitionsGuides())) {
    const guide = readFileSync(path, 'utf8');
    assert.ok(guide === wanted, `${path} is stale: run "npm run openapi" and commit the file`);
  }
  const [guide = ''] = Object.values(transitionsGuides());
  for (const { action, effect } of transitions) {
    assert.ok(guide.includes(`| \`${action}\` |`), action);
    assert.ok(guide.includes(effect), effect);
  }
});
