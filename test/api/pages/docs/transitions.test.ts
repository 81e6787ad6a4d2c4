import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { transitionsGuides } from '../../../../api/pages/docs/transitions.ts';
import { failures, shownCode } from '../../../../shared/domains.ts';
import { transitions } from '../../../../shared/invoicing/transitions/table.ts';
import { languages } from '../../../../shared/kernel/language.ts';

test('the guides have every transition as the code has it', () => {
  for (const [path, wanted] of Object.entries(transitionsGuides())) {
    const guide = readFileSync(path, 'utf8');
    assert.ok(guide === wanted, `${path} is stale: run "npm run openapi" and commit the file`);
  }
  for (const language of languages) {
    const folder = { en: 'guides', ja: 'ja' }[language];
    const [, guide = ''] = Object.entries(transitionsGuides()).find(([path]) =>
      path.endsWith(`/${folder}/document-transitions.md`),
    )!;
    for (const { action, effect } of transitions) {
      assert.ok(guide.includes(`| \`${action}\` |`), action);
      assert.ok(guide.includes(effect?.[language] ?? ''), action);
    }
  }
});

test('the guides name refusals by the codes that answers carry', () => {
  const names = Object.keys(failures) as (keyof typeof failures)[];
  const shown = new Set<string>(names.map(shownCode));
  for (const [path, guide] of Object.entries(transitionsGuides())) {
    const inner = names.filter((name) => !shown.has(name) && guide.includes(`\`${name}\``));
    assert.deepEqual(inner, [], path);
  }
});
