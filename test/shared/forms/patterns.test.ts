import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { compileForm } from '../../../shared/forms/answers/compiled.ts';
import { judge } from '../../../shared/forms/answers/judge.ts';
import { compiledPattern } from '../../../shared/forms/answers/lines.ts';
import { parseSchema } from '../../../shared/forms/schema/parse.ts';
import { stepsToMatch } from '../../../shared/forms/schema/pattern-cost.ts';
import { publishFaults } from '../../../shared/forms/schema/publish.ts';
import { formOf, text } from './cases/case.ts';

/** A form of texts with these patterns, in fields `f_0`, `f_1` and so on. */
function schemaWith(type: string, patterns: readonly string[]) {
  const parsed = parseSchema(
    JSON.stringify(formOf(patterns.map((pattern, n) => text(`f_${n}`, { type, pattern })))),
  );
  ok('schema' in parsed, JSON.stringify(parsed));
  return parsed.schema;
}

function faultsOf(type: string, patterns: readonly string[]): string[] {
  return publishFaults(schemaWith(type, patterns)).map(
    ({ path, code }) => `${path.slice('/schema_json#/pages/0/fields'.length)} ${code}`,
  );
}

const steps = (pattern: string, letters: number): number =>
  stepsToMatch(compiledPattern(pattern), letters, 1e9);

test('steps are those that the worst text takes', () => {
  // Once a pattern cannot stand anywhere, no more letters cost anything.
  ok(steps('\\d{3}-\\d{4}', 10) < 20);
  equal(steps('\\d{3}-\\d{4}', 10_000), steps('\\d{3}-\\d{4}', 10));
  ok(steps('(a{100}){10}', 10_000) < 2_000);
  // At each of 500 letters the pattern can stand before, at or behind each one that may be missing.
  ok(steps('(a?){1000}', 500) > (500 * 1_000) / 2);
  equal(steps('(.*a.*b.*c.*d.*e){9}', 2_000) > 1.9 * steps('(.*a.*b.*c.*d.*e){9}', 1_000), true);
  // A table of a pattern of one letter is soon full: then a letter costs a look into it.
  ok(steps('[a-z]+', 10_000) < 2_000);
  // Counting ends where it is enough.
  ok(stepsToMatch(compiledPattern('(((a?){10}){10}){10}'), 10_000, 100_000) < 110_000);
});

test('a pattern is refused that takes long for the longest text, or takes the form beyond', () => {
  const phone = '0\\d{1,4}-\\d{1,4}-\\d{4}';
  deepEqual(faultsOf('short_text', [phone, '[ァ-ヶー　]+', '\\p{L}[\\p{L}\\p{N} ]*', '(a+)+$']), []);
  deepEqual(faultsOf('long_text', ['[\\s\\S]*https://[\\s\\S]*']), []);
  deepEqual(
    faultsOf(
      'short_text',
      Array.from({ length: 200 }, () => phone),
    ),
    [],
  );
  for (const worst of ['(((a?){10}){10}){10}', '(.?){1000}', '(.*a){300}', `(${'a'.repeat(190)}){1000}`]) {
    deepEqual(faultsOf('short_text', ['a', worst, worst]), ['/1/pattern too_costly'], worst.slice(0, 30));
  }
  deepEqual(faultsOf('long_text', ['.*[ab].{20}']), ['/0/pattern too_costly']);
  deepEqual(faultsOf('short_text', ['.*[ab].{20}', '(']), ['/1/pattern invalid_pattern']);
  const many = Array.from({ length: 20 }, () => '.*[ab].{20}');
  deepEqual(faultsOf('short_text', many), ['/8/pattern too_costly']);
  // Long programs cost whoever compiles them.
  deepEqual(
    faultsOf(
      'short_text',
      Array.from({ length: 20 }, () => '(a{100}){10}'),
    ),
    ['/9/pattern too_costly'],
  );
});

test('the most that may be published is matched at once, whatever is answered', () => {
  const table: [type: string, patterns: string[], answer: string][] = [
    ['long_text', ['(.?){250}', '(a|.?){40}x'], 'a'.repeat(10_000)],
    ['short_text', ['(.?){250}', '.*[ab].{15}'], 'ab漢'.repeat(333)],
    ['short_text', Array.from({ length: 50 }, () => '[\\p{L} ]+!'), '漢'.repeat(1_000)],
    ['short_text', Array.from({ length: 8 }, () => '.*[ab].{20}'), 'abbabaab'.repeat(125)],
  ];
  for (const [type, patterns, answer] of table) {
    deepEqual(faultsOf(type, patterns), []);
    const form = compileForm(schemaWith(type, patterns));
    const data = Object.fromEntries(patterns.map((_, n) => [`f_${n}`, answer]));
    const started = process.cpuUsage();
    judge(form, { data, hidden: {}, today: '2026-11-27', files: new Map() });
    // Some 10 to 30 ms; what is refused takes seconds where a form has many.
    ok(process.cpuUsage(started).user < 1_000_000, `${type} ${patterns[0]}`);
  }
});
