import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { type CompiledForm, compileForm } from '../../../shared/forms/answers/compiled.ts';
import { judge, readAnswers } from '../../../shared/forms/answers/judge.ts';
import { jsonSchemaOf } from '../../../shared/forms/schema/json-schema.ts';
import { parseSchema } from '../../../shared/forms/schema/parse.ts';
import { publishFaults } from '../../../shared/forms/schema/publish.ts';
import { fileOf, type Submission, submissionOf } from '../../support/random-answers.ts';
import { drawsOf } from '../../support/random-draws.ts';
import { formOf as randomForm } from '../../support/random-forms.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });

type Judging = { form: CompiledForm; sent: Submission; files: Map<string, { field_id: string }> };

/** A form and answers to it; hostile so often of a hundred. */
function judging(hostile: number): fc.Arbitrary<Judging> {
  return fc
    .nat()
    .map((seed) => {
      const draws = drawsOf(seed);
      const made = randomForm(draws);
      const parsed = parseSchema(JSON.stringify(made));
      if (!('schema' in parsed) || publishFaults(parsed.schema).length > 0) return null;
      const form = compileForm(parsed.schema);
      const named = [...form.fields.keys()].flatMap((id) =>
        [0, 1, 2].map((n) => [fileOf(id, n), id] as const),
      );
      const files = new Map(named.map(([id, field_id]) => [id, { field_id }]));
      const sent: Submission = JSON.parse(JSON.stringify(submissionOf(draws, made, hostile)));
      return { form, sent, files };
    })
    .filter((each) => each !== null);
}

const judged = ({ form, sent, files }: Judging) => judge(form, { ...sent, today: '2026-11-27', files });

const runs = { numRuns: 400, seed: 26, endOnFailure: true };

test('what was stored is stored alike when it is judged again, and nothing else is ever stored', () => {
  let stored = 0;
  fc.assert(
    fc.property(judging(3), (each) => {
      const first = judged(each);
      for (const id of Object.keys(first.data)) ok(first.visible_fields.includes(id));
      if (first.errors.length > 0) return;
      stored += 1;
      const again = judged({ ...each, sent: { data: first.data, hidden: first.hidden } });
      deepEqual(again, { ...first, dropped_fields: [] });
    }),
    runs,
  );
  ok(stored > 50, 'many answers are stored');
});

test('what is shown up to a field never depends on later answers', () => {
  fc.assert(
    fc.property(judging(10), fc.nat(), (each, cut) => {
      const before = judged(each);
      const ids = [...each.form.fields.keys()];
      const kept = new Set(ids.slice(0, (cut % ids.length) + 1));
      const earlier = Object.entries(each.sent.data).filter(([id]) => kept.has(id));
      const after = judged({ ...each, sent: { ...each.sent, data: Object.fromEntries(earlier) } });
      const shown = (list: readonly string[]): string[] => list.filter((id) => kept.has(id));
      deepEqual(shown(after.visible_fields), shown(before.visible_fields));
    }),
    runs,
  );
});

test('the module that pages load shows the same of random forms', async () => {
  const source = readFileSync(new URL('../../../shared/forms/replay/replay.ts', import.meta.url), 'utf8');
  const { replay } = await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(source))}`);
  fc.assert(
    fc.property(judging(10), (each) => {
      const { path, visible_fields, ending_id, hidden } = judged(each);
      const reading = { data: each.sent.data, today: '2026-11-27', files: each.files };
      const given = Object.fromEntries(readAnswers(each.form, reading).given);
      const there = replay(JSON.parse(JSON.stringify(each.form.plan)), given, hidden);
      deepEqual([there.path, there.visible_fields, there.ending_id], [path, visible_fields, ending_id]);
    }),
    runs,
  );
});

/** Faults that JSON Schema cannot tell: of files, and ranges of numbers and days. */
function isBeyond(form: CompiledForm, id: string, code: string): boolean {
  const { type } = form.fields.get(id)!.field;
  if (type === 'file') return true;
  return code === 'out_of_range' && ['number', 'date', 'time', 'datetime'].includes(type);
}

test('the JSON Schema of a random form takes what is stored, and refuses what step 4 does', () => {
  let refused = 0;
  fc.assert(
    fc.property(judging(10), (each) => {
      const fits = ajv.compile(jsonSchemaOf(each.form.schema));
      const { data, errors } = judged(each);
      if (errors.length === 0) ok(fits(data), ajv.errorsText(fits.errors));
      const reading = { data: each.sent.data, today: '2026-11-27', files: each.files };
      for (const [id, faults] of readAnswers(each.form, reading).faults) {
        if (faults.every(({ code }) => isBeyond(each.form, id, code))) continue;
        refused += 1;
        const { properties } = jsonSchemaOf(each.form.schema) as { properties: Record<string, object> };
        ok(
          !ajv.validate(properties[id]!, each.sent.data[id]),
          `${id}: ${JSON.stringify(each.sent.data[id])}`,
        );
      }
    }),
    { ...runs, numRuns: 60 },
  );
  ok(refused > 50, 'many answers are refused');
});
