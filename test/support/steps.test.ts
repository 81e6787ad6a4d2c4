import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Lane, runSteps, type Step } from './steps.ts';

function step(name: string, script: string, more: Partial<Step> = {}): Step {
  return { name, command: process.execPath, words: ['-e', script], ...more };
}

async function ran(...lanes: Lane[]): Promise<{ code: number; shown: string }> {
  let shown = '';
  const code = await runSteps(import.meta.dirname, lanes, (text) => {
    shown += text;
  });
  return { code, shown };
}

const report = (tests: number, pass: number) => `console.log('ℹ tests ${tests}\\nℹ pass ${pass}')`;

test('what each step wrote is shown whole, with the tests of all of them together', async () => {
  const { code, shown } = await ran(
    { steps: [step('one', report(3, 2)), step('two', report(4, 4))], at_once: 1 },
    {
      steps: [step('three', 'process.stderr.write(process.env.GIVEN)', { environment: { GIVEN: 'given' } })],
      at_once: 1,
    },
  );
  assert.equal(code, 0);
  assert.match(shown, /^one \((\d+\.\d s of a processor, )?\d+\.\d s\)\nℹ tests 3\nℹ pass 2$/m);
  assert.match(shown, /^three \(.*\)\ngiven/m);
  assert.match(shown, /^7 tests in .*: 6 pass, 0 fail/m);
});

test('the first that fails gives the exit code, and the others run all the same', async () => {
  const steps = [
    step('bad', 'process.exit(7)'),
    step('killed', 'process.kill(process.pid)'),
    step('good', ''),
  ];
  const { code, shown } = await ran({ steps, at_once: 1 });
  assert.equal(code, 7);
  assert.match(shown, /^good \(/m);
  assert.match(shown, /^Failed with 7: bad\n[\s\S]*^Failed with 1: killed\n/m);
});

test('what failed is told once more at the end: its failing tests, or its last lines', async () => {
  const report = Array.from({ length: 300 }, (_, n) => `line ${n}`).join('\n');
  const tests = `${report}\n✖ failing tests:\n\n✖ a name\n  an error`;
  const steps = [
    step('tests', `console.log(${JSON.stringify(tests)}); process.exitCode = 1`),
    step('lint', `console.log(${JSON.stringify(report)}); process.exitCode = 1`),
  ];
  const { shown } = await ran({ steps, at_once: 1 });
  const end = shown.slice(shown.lastIndexOf('Took most'));
  assert.match(end, /^Failed with 1: tests\n✖ failing tests:\n\n✖ a name\n {2}an error\n/m);
  assert.match(end, /^Failed with 1: lint\nline 220\n[\s\S]*^line 299\n$/m);
});

test('after one that is needed nothing more is started', async () => {
  const steps = [step('types', 'process.exit(2)', { needed: true }), step('rest', '')];
  const { code, shown } = await ran({ steps, at_once: 1 });
  assert.equal(code, 2);
  assert.doesNotMatch(shown, /^rest/m);
});

test('a command that is not there fails, and says so', async () => {
  const { code, shown } = await ran({ steps: [{ name: 'x', command: '/no/such', words: [] }], at_once: 1 });
  assert.equal(code, 1);
  assert.match(shown, /ENOENT/);
});

test('a lane that has nothing left takes from another', async () => {
  const steps = Array.from({ length: 3 }, (_, n) => step(`step ${n}`, ''));
  const { code, shown } = await ran({ steps: [], at_once: 1 }, { steps, at_once: 0 });
  assert.equal(code, 0);
  assert.equal(shown.match(/^step \d/gm)?.length, 3);
});

test('what used most of a processor is named first', { skip: process.platform !== 'linux' }, async () => {
  const busy = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);';
  const idle = 'setTimeout(() => {}, 1_000)';
  const { shown } = await ran({ steps: [step('idle', idle), step('busy', busy)], at_once: 1 });
  assert.match(shown, /^Took most:\n {2}\d+\.\d s of a processor, .* {2}busy\n.* {2}idle$/m);
});
