import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { giveMemoryBack } from '../storage/body.ts';
import { ReaderFailure, type ReaderReason } from './failure.ts';
import { FrameCollector, frameBefore, frameOf } from './frames.ts';

/**
 * Bytes of a file, or all of them as they come from where they are kept: then they are in memory a piece at a time, whose memory
 * is given back once it is handed over.
 */
export type ReadContent = Uint8Array | { size: number; pieces: AsyncIterable<Buffer> };

/** What a process may take: see `ReaderOptions`. */
export type ReaderBounds = { time_limit: number; most_memory: number; most_answer: number; files: number };

const ROOT = join(import.meta.dirname, '../../..');
const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
/** What a process of Node.js takes before it reads anything, in MiB. */
const BARE_PROCESS = 64;
const PAGE = 4096;
const MIB = 1024 * 1024;
/** Milliseconds of the unit in which Linux tells the time of a processor. */
const TICK = 10;
/** How many times as long as its time of a processor a file may take: beside other programs it waits for its turn. */
const PATIENCE = 4;

/** Bounds of the kernel hold where nobody watches any more: seconds of a processor, and no image of the memory on disk. */
const LIMITED = 'ulimit -c 0 && ulimit -t "$0" && exec env -i "$@"';

/** A process of a reader: it reads one file at a time. After a failure it is dead. */
export class ReaderProcess {
  private readonly bounds: ReaderBounds;
  private readonly child: ChildProcess;
  private readonly ended: Promise<ReaderFailure>;
  private killed_for: ReaderFailure | null = null;
  private served = 0;

  constructor(module: URL, bounds: ReaderBounds) {
    this.bounds = bounds;
    this.child = startChild(module, bounds);
    // A child that ended takes no more: what became of it is told by its exit.
    this.child.stdin!.on('error', () => {});
    this.ended = exitOf(this.child).then((reason) => this.killed_for ?? new ReaderFailure(reason));
  }

  /** Reads a file. Errors: `ReaderFailure`, once the process is gone; what its pieces fail with. */
  async ask(
    question: unknown,
    content: ReadContent,
    signal: AbortSignal | undefined,
  ): Promise<{ answer: unknown; content: Buffer }> {
    const { most_memory, most_answer } = this.bounds;
    this.served += 1;
    const stopped = new AbortController();
    this.killOverTime(stopped.signal);
    const watch = setInterval(async () => {
      if ((await this.memory()) > most_memory + BARE_PROCESS) this.kill('memory');
    }, 100);
    signal?.addEventListener('abort', () => this.kill('aborted'), { signal: stopped.signal });
    const { promise: answered, resolve: answer } = Promise.withResolvers<{
      value: unknown;
      content: Buffer;
    }>();
    const collector = new FrameCollector();
    const take = (part: Buffer) => {
      if (collector.held + part.length > most_answer) return this.kill('answer_too_large');
      for (const frame of collector.add(part)) answer(frame);
    };
    this.child.stdout!.on('data', take);
    try {
      await this.send(question, content);
      if (this.served === this.bounds.files) this.end();
      const frame = await Promise.race([answered, this.ended]);
      if (frame instanceof ReaderFailure) throw frame;
      const value = frame.value as { answer: unknown } | { refused: string };
      if ('answer' in value) return { answer: value.answer, content: frame.content };
      throw new ReaderFailure('refused', value.refused);
    } finally {
      clearInterval(watch);
      stopped.abort();
      this.child.stdout!.off('data', take);
    }
  }

  /** Hands a file over, no faster than the process takes it; one that ended takes no more. */
  private async send(question: unknown, content: ReadContent): Promise<void> {
    const stdin = this.child.stdin!;
    if (content instanceof Uint8Array) {
      for (const part of frameOf(question, content)) stdin.write(part);
      return;
    }
    for (const part of frameBefore(question, content.size)) stdin.write(part);
    try {
      for await (const piece of content.pieces) {
        const isTaken = stdin.write(piece, () => giveMemoryBack(piece));
        if (!isTaken) await Promise.race([once(stdin, 'drain').catch(() => undefined), this.ended]);
        if (!this.runs) return;
      }
    } catch (error) {
      this.kill('aborted');
      throw error;
    }
  }

  /** Whether it runs: one that waits may have been killed by somebody else. */
  get runs(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Whether it may read one more file: it has read fewer than it may, and kept less of them than half of its memory. */
  async isFresh(): Promise<boolean> {
    return (
      this.served < this.bounds.files && (await this.memory()) < this.bounds.most_memory / 2 + BARE_PROCESS
    );
  }

  /** Lets this process end while the other one waits for a file, or not. */
  holds(held: boolean): void {
    for (const each of [this.child, this.child.stdin as Socket, this.child.stdout as Socket]) {
      if (held) each.ref();
      else each.unref();
    }
  }

  /** Ends it once it has answered. */
  end(): void {
    this.child.stdin!.end();
  }

  /** Kills it when it has used its time of a processor, or waited for one `PATIENCE` times as long, unless it is stopped before. */
  private async killOverTime(stopped: AbortSignal): Promise<void> {
    const { time_limit } = this.bounds;
    const begun = performance.now();
    const used_before = await this.processorTime();
    for (let left = time_limit; left > 0 && !stopped.aborted; ) {
      await pause(left, undefined, { signal: stopped, ref: false }).catch(() => undefined);
      const passed = performance.now() - begun;
      const used = (await this.processorTime()) - used_before;
      // Where it cannot be read, what has passed counts as used.
      left = Math.min(time_limit - (Number.isNaN(used) ? passed : used), PATIENCE * time_limit - passed);
    }
    if (!stopped.aborted) this.kill('time');
  }

  private kill(reason: ReaderReason): void {
    this.killed_for ??= new ReaderFailure(reason);
    this.child.kill('SIGKILL');
  }

  /** MiB that it holds; 0 where that cannot be read, as on systems without /proc. */
  private async memory(): Promise<number> {
    const text = await readFile(`/proc/${this.child.pid}/statm`, 'utf8').catch(() => '0 0');
    return (Number(text.split(' ')[1]) * PAGE) / MIB;
  }

  /** Milliseconds of a processor that it has used; NaN where that cannot be read. */
  private async processorTime(): Promise<number> {
    const text = await readFile(`/proc/${this.child.pid}/stat`, 'utf8').catch(() => '');
    // Its name stands before, in brackets, and may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK;
  }
}

function startChild(module: URL, { time_limit, most_memory, files }: ReaderBounds): ChildProcess {
  const seconds = (Math.ceil(time_limit / 1000) + 1) * files;
  const sources = ['shared/', 'node_modules/', 'package.json'].map((path) => join(ROOT, path));
  const readable = [...sources, fileURLToPath(new URL('./', module))].map(
    (path) => `--allow-fs-read=${path}`,
  );
  const flags = [`--max-old-space-size=${most_memory}`, '--permission', ...readable];
  const words = [`${seconds}`, process.execPath, ...flags, CHILD, module.href];
  return spawn('/bin/sh', ['-c', LIMITED, ...words], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
}

/** Why a process ended that was not killed here. One that ended well without an answer failed too. */
function exitOf(child: ChildProcess): Promise<ReaderReason> {
  return new Promise((done) => {
    child.once('error', () => done('crashed'));
    child.once('close', (_code, signal) => {
      if (signal === 'SIGXCPU' || signal === 'SIGKILL') done('time');
      else done(signal === 'SIGABRT' || signal === 'SIGTRAP' ? 'memory' : 'crashed');
    });
  });
}
