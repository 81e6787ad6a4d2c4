import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileForm } from '../../../shared/forms/answers/compiled.ts';
import { judge, readAnswers } from '../../../shared/forms/answers/judge.ts';
import { jsonSchemaOf } from '../../../shared/forms/schema/json-schema.ts';
import { parseSchema } from '../../../shared/forms/schema/parse.ts';
import { publishFaults } from '../../../shared/forms/schema/publish.ts';
import { cases } from './cases/all.ts';
import type { Case } from './cases/case.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const reading = { today: '2026-11-27', files: new Map([['ffile_1', { field_id: 'f' }]]) };

function formOf({ schema }: Case) {
  const parsed = parseSchema(JSON.stringify(schema));
  ok('schema' in parsed, JSON.stringify(parsed));
  deepEqual(publishFaults(parsed.schema), []);
  return compileForm(parsed.schema);
}

test('there are 200 fixed cases and more', () => ok(cases.length >= 200, String(cases.length)));

test('each fixed case is judged as it was written', async (t) => {
  for (const each of cases) {
    await t.test(each.name, () => {
      const { name: _, schema: __, data, hidden = {}, expected } = each;
      const judged = judge(formOf(each), { data, hidden, ...reading });
      const found = {
        data: judged.data,
        hidden: judged.hidden,
        errors: judged.errors.map(({ path, code }) => `${path} ${code}`),
        visible: judged.visible_fields,
        dropped: judged.dropped_fields,
        path: judged.path,
        ending: judged.ending_id,
        scores: judged.scores,
      };
      const asked = { errors: [], ...expected };
      const told = Object.keys(asked).map((key) => [key, found[key as keyof typeof found]]);
      deepEqual(Object.fromEntries(told), asked);
    });
  }
});

test('the module that pages load shows the same', async () => {
  const source = readFileSync(new URL('../../../shared/forms/replay/replay.ts', import.meta.url), 'utf8');
  const text = stripTypeScriptTypes(source);
  const { replay } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  for (const each of cases) {
    const { name, data, hidden = {} } = each;
    const form = formOf(each);
    const judged = judge(form, { data, hidden, ...reading });
    const given = Object.fromEntries(readAnswers(form, { data, ...reading }).given);
    const { path, visible_fields, ending_id } = replay(
      JSON.parse(JSON.stringify(form.plan)),
      given,
      judged.hidden,
    );
    deepEqual(
      { path, visible_fields, ending_id },
      { path: judged.path, visible_fields: judged.visible_fields, ending_id: judged.ending_id },
      name,
    );
  }
});

/** Codes that JSON Schema cannot tell: files, patterns, ranges of decimals and days. */
function isBeyondJsonSchema({ schema, expected: { errors = [] } }: Case): boolean {
  const shown = JSON.stringify(schema);
  const isPattern = shown.includes('"pattern"') && errors.some((each) => each.endsWith('invalid_format'));
  const isRange =
    /"type":"(number|date|time|datetime)"/.test(shown) &&
    errors.some((each) => each.endsWith('out_of_range'));
  return isPattern || isRange || errors.some((each) => each.endsWith('unknown_file'));
}

test('what is stored fits the JSON Schema of the form, and what step 4 refuses does not', () => {
  for (const each of cases) {
    const { name, data, hidden = {} } = each;
    const form = formOf(each);
    const fits = ajv.compile(jsonSchemaOf(form.schema));
    const judged = judge(form, { data, hidden, ...reading });
    if (judged.errors.length === 0) ok(fits(judged.data), `${name}: ${ajv.errorsText(fits.errors)}`);
    const { faults } = readAnswers(form, { data, ...reading });
    if (faults.size > 0 && !isBeyondJsonSchema(each)) ok(!fits(data), name);
  }
});
