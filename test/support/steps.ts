import { type ChildProcess, spawn } from 'node:child_process';
import { processorTimes } from './processor-times.ts';

/** A command of the run. */
export type Step = {
  name: string;
  command: string;
  words: string[];
  environment?: Record<string, string>;
  /** When it fails, nothing more is started: the rest could only say the same less clearly. */
  needed?: boolean;
  /** Shows what it writes at once, and not when it has ended: for a step that runs beside no other. */
  live?: boolean;
};

const LINES_OF_A_FAILURE = 80;

/** Steps that run in this order, so many at once. */
export type Lane = { steps: readonly Step[]; at_once: number };

type Outcome = {
  step: Step;
  code: number;
  text: string;
  milliseconds: number;
  /** Of a processor; null where the system does not say. */
  used: number | null;
};

/**
 * Runs the steps of all lanes beside each other; who has nothing left in its own lane takes from another. Writes what
 * each wrote and, at the end, what it came to. Answers the exit code of the first that failed, or 0.
 */
export async function runSteps(
  cwd: string,
  lanes: readonly Lane[],
  show: (text: string) => void = (text) => process.stdout.write(text),
): Promise<number> {
  const begun = Date.now();
  // What ended before is no part of these.
  usedSince();
  const left = lanes.map(({ steps }) => [...steps]);
  const outcomes: Outcome[] = [];
  const running = new Set<ChildProcess>();
  const startNoMore = () => {
    for (const steps of left) steps.length = 0;
  };
  const end = (signal: NodeJS.Signals) => {
    startNoMore();
    for (const child of running) child.kill(signal);
  };
  // Ctrl-C reaches the steps by itself; this process stays to end the server.
  process.on('SIGINT', startNoMore).on('SIGTERM', end);

  async function work(own: number): Promise<void> {
    for (;;) {
      const step = [left[own]!, ...left].find((steps) => steps.length > 0)?.shift();
      if (!step) return;
      const outcome = await run(cwd, step, running);
      outcomes.push(outcome);
      show(outcome.text);
      if (outcome.code !== 0 && step.needed) startNoMore();
    }
  }

  await Promise.all(lanes.flatMap(({ at_once }, own) => Array.from({ length: at_once }, () => work(own))));
  process.off('SIGINT', startNoMore).off('SIGTERM', end);
  const failed = outcomes.filter(({ code }) => code !== 0);
  const told = outcomes.filter(({ step }) => !step.live);
  if (told.length > 0) show(`\n${summary(told, Date.now() - begun)}\n`);
  for (const outcome of failed) show(failure(outcome));
  return failed[0]?.code ?? 0;
}

function summary(outcomes: readonly Outcome[], milliseconds: number): string {
  const counted = outcomes.map(({ text }) => countsIn(text));
  const sum = (kind: string) => counted.reduce((total, counts) => total + (counts[kind] ?? 0), 0);
  const ends = ['pass', 'fail', 'cancelled', 'skipped', 'todo'].map((kind) => `${sum(kind)} ${kind}`);
  return `${longest(outcomes)}\n\n${sum('tests')} tests in ${inSeconds(milliseconds)}: ${ends.join(', ')}`;
}

/** What failed is told once more at the end, which is what stays where a log of thousands of lines is cut. */
function failure({ step, code, text }: Outcome): string {
  const from = text.lastIndexOf('✖ failing tests:');
  const lines = text.slice(Math.max(from, 0)).trimEnd().split('\n');
  const told = from < 0 ? lines.slice(-LINES_OF_A_FAILURE) : lines.slice(0, LINES_OF_A_FAILURE);
  return `\nFailed with ${code}: ${shortName(step)}\n${told.join('\n')}\n`;
}

/** The steps that used most of a processor, or took longest, for whoever wants to know what to make shorter. */
function longest(outcomes: readonly Outcome[]): string {
  const cost = ({ used, milliseconds }: Outcome) => used ?? milliseconds;
  const sorted = outcomes.toSorted((one, other) => cost(other) - cost(one)).slice(0, 15);
  const lines = sorted.map((outcome) => `  ${spent(outcome)}  ${shortName(outcome.step)}`);
  return ['Took most:', ...lines].join('\n');
}

function spent({ milliseconds, used }: Pick<Outcome, 'milliseconds' | 'used'>): string {
  return used === null
    ? inSeconds(milliseconds)
    : `${inSeconds(used)} of a processor, ${inSeconds(milliseconds)}`;
}

function shortName({ name }: Step): string {
  return name.length > 100 ? `${name.slice(0, 100)} ...` : name;
}

async function run(cwd: string, step: Step, running: Set<ChildProcess>): Promise<Outcome> {
  const begun = Date.now();
  let used: number | null = null;
  const child = spawn(step.command, step.words, {
    cwd,
    stdio: step.live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...step.environment },
  });
  running.add(child);
  const written: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => written.push(part));
  child.on('exit', () => {
    used = usedSince();
  });
  const code = await new Promise<number>((done) => {
    child.on('close', (code) => done(code ?? 1));
    child.on('error', (error) => {
      written.push(Buffer.from(`${error.message}\n`));
      done(1);
    });
  });
  running.delete(child);
  const milliseconds = Date.now() - begun;
  const text = `\n${step.name} (${spent({ milliseconds, used })})\n${Buffer.concat(written)}`;
  return { step, code, text: step.live ? '' : text, milliseconds, used };
}

let told = 0;

/**
 * Milliseconds of a processor that the children of this process used which have ended since the last call, with all that
 * they started and waited for. Not with the statements that they sent to the database.
 */
function usedSince(): number | null {
  if (process.platform !== 'linux') return null;
  const { ended_user, ended_system } = processorTimes('self');
  const all = ended_user + ended_system;
  const used = all - told;
  told = all;
  return used;
}

/** The last lines of the runner's report say how many tests it ran and how they ended. */
function countsIn(text: string): Record<string, number> {
  const lines = text.matchAll(/^ℹ (?<kind>tests|pass|fail|cancelled|skipped|todo) (?<count>\d+)$/gm);
  return Object.fromEntries([...lines].map(({ groups }) => [groups!.kind!, Number(groups!.count)]));
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
