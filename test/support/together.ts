import { resolve } from 'node:path';
import { loadFromBundle } from './bundled-sources.ts';
import { hashLightly } from './light-hashes.ts';
import { isJudged } from './row-security.ts';
import { runnerByContext } from './tests-by-context.ts';

/**
 * Runs the test files that it is given in this one process, one after the other. (`node --test --test-isolation=none`
 * would hand its own flags on to every process that a test forks.)
 */
if (process.env.TEST_SOURCES) loadFromBundle(process.env.TEST_SOURCES);
const { run } = await runnerByContext();
const { spec } = await import('node:test/reporters');
if (isJudged) hashLightly();
// What is forked would be started with the flags of this process.
process.execArgv.length = 0;
const files = process.argv.slice(2).map((file) => resolve(file));
let passed = false;
const report = run({ files, isolation: 'none' });
let failed = false;
report.on('test:summary', ({ success }) => {
  passed = success;
});
// The summary passes over a hook that fails behind the last test.
report.on('test:fail', () => {
  failed = true;
});
// Also when a test ends the process, before the others ran.
process.on('exit', () => {
  process.exitCode = passed && !failed ? 0 : 1;
});
report.compose(spec).pipe(process.stdout);
