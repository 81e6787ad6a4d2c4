import { deepEqual, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { compileForm } from '../../../shared/forms/answers/compiled.ts';
import type { AnswerFaultCode } from '../../../shared/forms/answers/faults.ts';
import { judge } from '../../../shared/forms/answers/judge.ts';
import { parseSchema } from '../../../shared/forms/schema/parse.ts';
import { publishFaults } from '../../../shared/forms/schema/publish.ts';
import { fileOf, type Submission, submissionOf } from '../../support/random-answers.ts';
import { drawsOf } from '../../support/random-draws.ts';
import { formOf, type MadeForm } from '../../support/random-forms.ts';

/** How many forms are tried, with ten submissions each: FORMS=20000 takes a few minutes. */
const FORMS = Number(process.env['FORMS'] ?? 500);
const SEED = Number(process.env['FORM_SEED'] ?? 7);
const TODAY = '2026-11-27';

const CODES: readonly AnswerFaultCode[] = [
  'wrong_type',
  'bad_characters',
  'invalid_format',
  'unknown_option',
  'unknown_file',
  'too_short',
  'too_long',
  'too_few',
  'too_many',
  'out_of_range',
  'unknown_field',
  'required',
];

const oracle = spawn('python3', [join(import.meta.dirname, 'judge_oracle.py')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = createInterface({ input: oracle.stdout })[Symbol.asyncIterator]();
after(() => oracle.stdin.end());

async function told(question: unknown): Promise<unknown[]> {
  oracle.stdin.write(`${JSON.stringify(question)}\n`);
  const { value, done } = await answers.next();
  ok(!done, 'the oracle ended');
  return JSON.parse(value);
}

/** The form of a seed, or null where it leaves a page that nothing leads to: the one thing that keeps it from publication. */
function compiledOf(schema: MadeForm) {
  const parsed = parseSchema(JSON.stringify(schema));
  ok('schema' in parsed, JSON.stringify(parsed));
  const faults = publishFaults(parsed.schema).filter(({ code }) => code !== 'no_fields');
  ok(
    faults.every(({ code }) => code === 'unreachable'),
    JSON.stringify([faults, schema]),
  );
  return faults.length > 0 ? null : compileForm(parsed.schema);
}

function filesOf({ pages }: MadeForm): Record<string, string> {
  const fields = pages.flatMap((page) => page.fields);
  return Object.fromEntries(fields.flatMap(({ id }) => [0, 1, 2].map((number) => [fileOf(id, number), id])));
}

test(`a program written from the rules alone judges the answers to ${FORMS} forms alike`, async () => {
  const seen = new Map<string, number>();
  let published = 0;
  for (let number = 0; number < FORMS; number += 1) {
    const draws = drawsOf(SEED * 1_000_003 + number);
    const schema = formOf(draws);
    const form = compiledOf(schema);
    if (!form) continue;
    published += 1;
    const submissions = Array.from({ length: 10 }, (_, n) => submissionOf(draws, schema, n < 5 ? 3 : 25));
    const named = filesOf(schema);
    const files = new Map(Object.entries(named).map(([id, field_id]) => [id, { field_id }]));
    // What JSON cannot hold, the API is never sent.
    const sent: Submission[] = JSON.parse(JSON.stringify(submissions));
    const found = sent.map((each) => {
      const { errors, ...judged } = judge(form, { ...each, today: TODAY, files });
      for (const { code } of errors) seen.set(code, (seen.get(code) ?? 0) + 1);
      if (errors.length === 0) seen.set('stored', (seen.get('stored') ?? 0) + 1);
      return { ...judged, errors: errors.map(({ path, code }) => `${path} ${code}`).toSorted() };
    });
    const judged = await told({ schema, submissions: sent, files: named, today: TODAY });
    for (const [n, each] of found.entries()) {
      deepEqual(JSON.parse(JSON.stringify(each)), judged[n], JSON.stringify({ schema, sent: sent[n] }));
    }
  }
  ok(published > FORMS / 2, 'most forms can be published');
  deepEqual([...seen.keys()].toSorted(), [...CODES, 'stored'].toSorted(), 'every code is among the answers');
});
