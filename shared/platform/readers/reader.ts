import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ReaderFailure } from './failure.ts';
import { type Gate, gateOf } from './gate.ts';

/** What the module of a reader exports as `read`. It throws `UnreadableFile` for what it does not take. */
export type Read<Question, Answer> = (question: Question, content: Buffer) => Answer | Promise<Answer>;

/** What the process answers. */
export type ChildAnswer<Answer> = { answer: Answer } | { refused: string };

/** What reads files of one kind that others made, each in a process of its own. */
export type ReaderOptions = {
  /** The module, with `read` among its exports. The process may open its folder, `shared` and the packages. */
  module: URL;
  /** Milliseconds from the start of the process to its answer. */
  time_limit: number;
  /** MiB that the process may have of memory. */
  most_memory: number;
  /** Bytes of its answer, as JSON. */
  most_answer: number;
};

const ROOT = join(import.meta.dirname, '../../..');
const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
/** What a process of Node.js takes before it reads anything, in MiB. */
const BARE_PROCESS = 64;
const PAGE = 4096;
const MIB = 1024 * 1024;

/** How many files are read at a time by this process. More would share its two processors and run out of their time. */
const gate: Gate = gateOf(2);

/**
 * A reader of foreign files: parsers that never return, or take any memory, on files that are made for it. Each file is read
 * in a process that has no environment, opens no connection, and reads nothing but the sources; it is killed when it takes
 * more than it may. Where this process dies meanwhile, the kernel ends the other one after its seconds of a processor.
 * The reading fails with `ReaderFailure`.
 */
export function readerOf<Question, Answer>(options: ReaderOptions) {
  return (question: Question, content: Buffer, signal?: AbortSignal): Promise<Answer> =>
    gate(() => readIn<Answer>(options, JSON.stringify(question), content, signal));
}

async function readIn<Answer>(
  { module, time_limit, most_memory, most_answer }: ReaderOptions,
  question: string,
  content: Buffer,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  if (signal?.aborted) throw new ReaderFailure('aborted');
  const child = startChild(module, time_limit, most_memory);
  const stopped = new AbortController();
  const ended: { by: ReaderFailure | null } = { by: null };
  const kill = (failure: ReaderFailure) => {
    ended.by ??= failure;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => kill(new ReaderFailure('time')), time_limit);
  const watch = setInterval(async () => {
    const taken = await memoryOf(child.pid);
    if (taken > (most_memory + BARE_PROCESS) * MIB) kill(new ReaderFailure('memory'));
  }, 100);
  signal?.addEventListener('abort', () => kill(new ReaderFailure('aborted')), { signal: stopped.signal });
  try {
    const parts: Buffer[] = [];
    let size = 0;
    child.stdout!.on('data', (part: Buffer) => {
      size += part.length;
      if (size > most_answer) kill(new ReaderFailure('answer_too_large'));
      else parts.push(part);
    });
    // A child that ended takes no more: what became of it is told by its exit.
    child.stdin!.on('error', () => {});
    child.stdin!.write(`${question}\n`);
    child.stdin!.end(content);
    const exit = await exitOf(child);
    if (ended.by) throw ended.by;
    if (exit.signal === 'SIGXCPU' || exit.signal === 'SIGKILL') throw new ReaderFailure('time');
    if (exit.signal === 'SIGABRT' || exit.signal === 'SIGTRAP') throw new ReaderFailure('memory');
    if (exit.code !== 0) throw new ReaderFailure('crashed');
    const answered = JSON.parse(Buffer.concat(parts).toString('utf8')) as ChildAnswer<Answer>;
    if ('refused' in answered) throw new ReaderFailure('refused', answered.refused);
    return answered.answer;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    stopped.abort();
  }
}

/** Bounds of the kernel hold where nobody watches any more: seconds of a processor, and no image of the memory on disk. */
const LIMITED = 'ulimit -c 0 && ulimit -t "$0" && exec env -i "$@"';

function startChild(module: URL, time_limit: number, most_memory: number): ChildProcess {
  const seconds = Math.ceil(time_limit / 1000) + 1;
  const sources = ['shared/', 'node_modules/', 'package.json'].map((path) => join(ROOT, path));
  const readable = [...sources, fileURLToPath(new URL('./', module))].map(
    (path) => `--allow-fs-read=${path}`,
  );
  const flags = [`--max-old-space-size=${most_memory}`, '--permission', ...readable];
  const words = [`${seconds}`, process.execPath, ...flags, CHILD, module.href];
  return spawn('/bin/sh', ['-c', LIMITED, ...words], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => done({ code, signal }));
  });
}

/** Bytes that a process holds; 0 where that cannot be read, as on systems without /proc. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0');
  return Number(text.split(' ')[1]) * PAGE;
}
