import { globSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, delimiter, join, matchesGlob, relative, resolve, sep } from 'node:path';
import { API_IN_TESTS, bundlePrograms, bundleSources } from './support/bundle.ts';
import { memoryFolder } from './support/memory-folder.ts';
import { endUnused, openServer, sharedFolder, usedByServer } from './support/postgres.ts';
import { loadedWith } from './support/sources.ts';
import { type Lane, runSteps, type Step } from './support/steps.ts';

/**
 * npm test: types, lint and every test file, those of the API with row-level security forced.
 * npm test -- files: those files alone. All against one PostgreSQL of this run, which is removed at the end. The exit
 * code is that of the first step that fails.
 */
const root = resolve(import.meta.dirname, '..');
const inMemory = memoryFolder();
const runFolder = inMemory === null ? sharedFolder : join(inMemory, basename(sharedFolder));
const folder = `${runFolder}-run-${process.pid}`;
const named = process.argv.slice(2);
const cores = availableParallelism();

/** Mostly waits: for processes to start, to be killed and to be known dead. Runs beside what keeps the processors busy. */
const WAITING = 'test/{workers,resilience,start,journeys}/**/*.test.ts';
/** Of their time such tests use a processor for less than half. */
const WAITING_AT_ONCE = Math.ceil(cores * 1.5);
/**
 * Measures the process that it runs in, tells of rows that are fresh for a minute alone, or takes so long that it is
 * better begun early.
 */
const ALONE =
  /^test\/(plans|deploy|readme|api\/http\/files\/leaving|shared\/platform\/imports\/reading\/limits)\b/;
/**
 * What takes longest, in this order, is begun first: whatever begins last should be short, so that no core is idle at the
 * end. The run tells at its end what took longest.
 */
const LONGEST = [
  'test/plans/crm.test.ts',
  'test/plans/mail.test.ts',
  'test/plans/invoicing.test.ts',
  'test/shared/db/embedded.test.ts',
  'test/plans/exports.test.ts',
  'test/plans/shares.test.ts',
  'test/start/start.test.ts',
  'test/api/pages/shares/rclone.test.ts',
  'test/workers/crash.test.ts',
  'test/workers/deploy.test.ts',
  'test/resilience/copies.test.ts',
  'test/start/operators-command.test.ts',
  'test/workers/killed-imports.test.ts',
  'test/workers/document-mails.test.ts',
  'test/workers/recovery.test.ts',
  'test/workers/pdf/crash.test.ts',
  'test/workers/mails.test.ts',
  'test/start/doctor-command.test.ts',
  'test/resilience/refusals.test.ts',
  'test/resilience/killed-approvals.test.ts',
  'test/resilience/killed-cloud-uploads.test.ts',
  'test/resilience/resumed-uploads.test.ts',
  'test/workers/exports.test.ts',
  'test/start/killed.test.ts',
  'test/workers/memory.test.ts',
  'test/resilience/pgbouncer.test.ts',
];
/** Folders whose tests are about HTTP itself, the operators' pages and the text about the API, not about rows. */
const NOT_ABOUT_ROWS = 'test/api/{http,openapi,ops,pages}/**';
/** To load the API costs more than most files' own tests. Each file holds its database until the last one's end. */
const FILES_IN_A_PROCESS = 20;
/**
 * MiB of V8's young generation, from the first on, and of its whole heap at the beginning: with Node's usual 1 to 16 the
 * collector copies what a process loads again and again. (Of 12 files of test/api/accounting 24 instead of 28 s of a processor with
 * the room alone, of 4 files of three domains 4.9 instead of 5.4 s with the beginning.) And compiled code is kept: what ran once
 * would be missing from the cache that the next process loads its code from. For the tests' own process alone: a program
 * that a test starts does not get it.
 */
const ROOM = [
  '--max-semi-space-size=64',
  '--min-semi-space-size=64',
  '--initial-heap-size=400',
  '--no-flush-bytecode',
];
/** The native compiler takes half of the other's time, which stays for those who call it as a library. */
const COMPILER = 'node_modules/typescript-7/bin/tsc';
/** To bundle the sources takes what so many processes save by loading them. */
const STEPS_FOR_A_BUNDLE = 10;
/** What is done anew at each start of a program (types taken off, code compiled) is kept from run to run. */
const kept = join(root, 'node_modules/.cache/business-operations');

for (const left of globSync([`${sharedFolder}-run-*`, `${runFolder}-run-*`])) await endUnused(left);
process.on('SIGINT', () => {});
process.exitCode = await everything();

async function everything(): Promise<number> {
  if (process.env.CI && !hasRedis()) {
    process.stderr.write('redis-server must be on PATH: the queues are tested on both of their engines.\n');
    return 1;
  }
  if (process.env.CI && globSync('/usr/lib/*/faketime/libfaketimeMT.so.1').length === 0) {
    process.stderr.write('libfaketime must be installed: workers are tried with a clock that goes wrong.\n');
    return 1;
  }
  const lanes = named.length > 0 ? [theNamed()] : all();
  const steps = lanes.flatMap(({ steps }) => steps);
  const startPrograms = steps.some(({ words }) => words.some(isWaiting));
  const [server, programs, sources] = await Promise.all([
    openServer(folder),
    startPrograms ? bundlePrograms(join(kept, 'programs')) : null,
    steps.length >= STEPS_FOR_A_BUNDLE ? bundleSources(join(kept, 'sources')) : null,
  ]);
  if (programs !== null) process.env.TEST_PROGRAMS = programs;
  if (sources !== null) process.env.TEST_SOURCES = sources;
  process.env.TEST_DATABASE_SERVER = server.adminUrl;
  process.env.TEST_SERVER_FOLDER = folder;
  process.env.NODE_COMPILE_CACHE = join(kept, 'compiled');
  // A fifth of what it takes to load the API is to ask of each of 3,000 files whether it is a link. None is.
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --preserve-symlinks`.trim();
  // Programs that judge files (unzip, hledger, ...) take names for UTF-8 in a locale that has it alone.
  process.env.LC_ALL = 'C.UTF-8';
  try {
    return await runSteps(root, lanes);
  } finally {
    const used = usedByServer(folder);
    if (used !== null)
      process.stdout.write(`\nPostgreSQL used ${(used / 1000).toFixed(1)} s of a processor.\n`);
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    await endUnused(sharedFolder);
  }
}

/** The whole suite: what keeps the processors busy, and beside it what mostly waits. */
function all(): Lane[] {
  const files = testFiles('test/**/*.test.ts').filter((file) => !isWaiting(file));
  return [
    { steps: [...checks(), ...busy(files)], at_once: cores },
    { steps: waiting(), at_once: WAITING_AT_ONCE },
  ];
}

/** What tells soonest that something is wrong. */
function checks(): Step[] {
  const incremental = ['--incremental', '--tsBuildInfoFile', join(kept, 'types')];
  return [
    { name: 'Types', command: process.execPath, words: [COMPILER, '--noEmit', ...incremental], needed: true },
    { name: 'Lint', command: 'biome', words: ['ci', '--error-on-warnings'], needed: true },
  ];
}

/** Test files that keep a processor busy: together where they may be. */
function busy(files: string[]): Step[] {
  const { alone = [], grouped = [] } = Object.groupBy(files, (file) => (isAlone(file) ? 'alone' : 'grouped'));
  const { judged = [], plain = [] } = Object.groupBy(grouped, (file) =>
    isJudged(file) ? 'judged' : 'plain',
  );
  const groups = [...groupsOf(judged), ...groupsOf(plain)];
  const { long = [], short = [] } = Object.groupBy(alone, (file) =>
    LONGEST.includes(file) ? 'long' : 'short',
  );
  return [...longestFirst(long).map((file) => [file]), ...groups, ...short.map((file) => [file])].map(tests);
}

function waiting(): Step[] {
  return longestFirst(testFiles(WAITING)).map((file) => tests([file]));
}

function longestFirst(files: string[]): string[] {
  const rank = (file: string) => (LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length);
  return files.toSorted((one, other) => rank(one) - rank(other));
}

function isWaiting(file: string): boolean {
  return matchesGlob(file, WAITING);
}

/** Tests of the API run with row-level security forced: those of a new domain's folder too. */
function isJudged(file: string): boolean {
  return matchesGlob(file, 'test/api/**') && !matchesGlob(file, NOT_ABOUT_ROWS);
}

/** Files of one kind: all are judged, or none is. */
function tests(files: string[]): Step {
  const roomy = files.some((file) => ALONE.test(file)) ? [] : ROOM;
  const words = [...roomy, 'test/support/together.ts', ...files];
  // Who loads little of the service is better off without the whole bundle.
  const environment: Record<string, string> = files.some(loadsApi) ? {} : { TEST_SOURCES: '' };
  const step = { name: files.join(' '), command: process.execPath, words, environment };
  return files.every(isJudged) ? judged(step) : step;
}

function judged(step: Step): Step {
  return {
    ...step,
    name: `With row-level security forced: ${step.name}`,
    environment: { ...step.environment, TEST_ROW_SECURITY: 'forced' },
  };
}

function loadsApi(file: string): boolean {
  return loadedWith(file).has(API_IN_TESTS);
}

function testFiles(patterns: string | string[]): string[] {
  return globSync(patterns, { cwd: root })
    .filter((path) => path.endsWith('.ts'))
    .sort();
}

/** What a file does around each of its tests would be done around those of every file in the process. */
function isAlone(file: string): boolean {
  return ALONE.test(file) || /^(before|after)Each\(/m.test(readFileSync(join(root, file), 'utf8'));
}

/** As few groups as can be, of much the same length. */
function groupsOf(files: string[]): string[][] {
  const count = Math.ceil(files.length / FILES_IN_A_PROCESS);
  return Array.from({ length: count }, (_, nth) => files.filter((_, at) => at % count === nth));
}

/**
 * The files and folders that were named, under the same judge as in a whole run. Other words are for Node's own command,
 * which starts a process for each file.
 */
function theNamed(): Lane {
  const isPath = (word: string) => relative(join(root, 'test'), resolve(word)).split(sep)[0] !== '..';
  const { paths = [], flags = [] } = Object.groupBy(named, (word) => (isPath(word) ? 'paths' : 'flags'));
  const files = [
    ...new Set(paths.flatMap((path) => testFiles([relative(root, resolve(path)), `${path}/**/*.test.ts`]))),
  ];
  if (files.length === 0) throw new Error(`No test file is named by: ${named.join(' ')}`);
  if (flags.length === 0) {
    const { yes: waiting = [], no: others = [] } = Object.groupBy(files, (file) =>
      isWaiting(file) ? 'yes' : 'no',
    );
    const steps = [...waiting.map((file) => tests([file])), ...busy(others)];
    return { steps: steps.map((step) => ({ ...step, live: steps.length === 1 })), at_once: cores };
  }
  const kinds = [files.filter((file) => !isJudged(file)), files.filter(isJudged)];
  const steps = kinds
    .filter((kind) => kind.length > 0)
    .map((kind) => {
      const words = ['--test', `--test-concurrency=${cores}`, ...flags, ...kind];
      return { ...tests(kind), words, live: true };
    });
  return { steps, at_once: 1 };
}

function hasRedis(): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return globSync(folders.map((each) => join(each, 'redis-server'))).length > 0;
}
