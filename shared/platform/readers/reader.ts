import { ReaderFailure } from './failure.ts';
import { type Gate, gateOf } from './gate.ts';
import { type ReadContent, type ReaderBounds, ReaderProcess } from './reader-process.ts';

/** What reads files of one kind that others made, in processes of its own. */
export type ReaderOptions = {
  /** The module, with `read` among its exports. The process may open its folder, `shared` and the packages. */
  module: URL;
  /** Milliseconds of a processor from the question (the first one starts the process) to its answer; four times as long in all. */
  time_limit: number;
  /** MiB that the process may have of memory. */
  most_memory: number;
  /** Bytes of its answer, as JSON and content. */
  most_answer: number;
  /** Files that a process reads, one after the other, before another one takes its place; 1 without it. */
  files?: number;
};

/** How many files are read at a time by this process. More would share its two processors and run out of their time. */
const gate: Gate = gateOf(2);
/** Milliseconds that a process waits for its next file. */
const IDLE = 30_000;

/**
 * A reader of foreign files: parsers that never return, or take any memory, on files that are made for it. Each file is read
 * in a process that has no environment, opens no connection, and reads nothing but the sources; it is killed when it takes
 * more than it may, and reads no other file after one that it refused or failed on. Where this process dies meanwhile, the
 * kernel ends the other one after its seconds of a processor. The reading fails with `ReaderFailure`.
 */
export function readerOf<Question, Answer>(options: ReaderOptions) {
  const make = makerOf<Question, Answer>(options);
  return async (question: Question, content: ReadContent, signal?: AbortSignal): Promise<Answer> =>
    (await make(question, content, signal)).answer;
}

/** A reader whose module answers a file, `Made`. */
export function makerOf<Question, Answer>(options: ReaderOptions) {
  const bounds: ReaderBounds = { files: 1, ...options };
  const waiting: { process: ReaderProcess; timer: NodeJS.Timeout }[] = [];
  const wait = (process: ReaderProcess) => {
    process.holds(false);
    const place = { process, timer: setTimeout(() => leave(), IDLE).unref() };
    const leave = () => {
      waiting.splice(waiting.indexOf(place), 1);
      process.end();
    };
    waiting.push(place);
  };
  const taken = (): ReaderProcess => {
    const place = waiting.pop();
    if (!place) return new ReaderProcess(options.module, bounds);
    clearTimeout(place.timer);
    if (!place.process.runs) return taken();
    place.process.holds(true);
    return place.process;
  };
  return (question: Question, content: ReadContent, signal?: AbortSignal) =>
    gate(async () => {
      if (signal?.aborted) throw new ReaderFailure('aborted');
      const process = taken();
      try {
        const made = await process.ask(question, content, signal);
        if (await process.isFresh()) wait(process);
        else process.end();
        return made as { answer: Answer; content: Buffer };
      } catch (error) {
        process.end();
        throw error;
      }
    });
}
