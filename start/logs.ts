import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type Logs = {
  /** Takes the output of a process line by line. */
  take(name: string, output: Readable): void;
  /** Writes a line of this process. */
  write(level: Level, name: string, msg: string, fields?: Record<string, unknown>): void;
};

export type Level = 'info' | 'warn' | 'error';

const NUMBERS: Record<Level, number> = { info: 30, warn: 40, error: 50 };
const WORDS: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** One stream for the logs of all processes: JSON lines as they come, or, for people at a terminal, short lines. */
export function openLogs(stream: NodeJS.WriteStream): Logs {
  const print = (name: string, line: string) => {
    const record = recordOf(name, line);
    stream.write(`${stream.isTTY ? pretty(record) : JSON.stringify(record)}\n`);
  };
  return {
    take: (name, output) => {
      createInterface({ input: output, crlfDelay: Infinity }).on('line', (line) => {
        if (stream.isTTY || !isRecord(line)) print(name, line);
        else stream.write(`${line}\n`);
      });
    },
    write: (level, name, msg, fields = {}) => {
      print(name, JSON.stringify({ level: NUMBERS[level], time: Date.now(), process: name, ...fields, msg }));
    },
  };
}

type LogRecord = { level: number; time: number; process: string; msg: string } & Record<string, unknown>;

/** What is not JSON (a stack trace of the runtime) becomes a record, so that each line can be parsed. */
function recordOf(name: string, line: string): LogRecord {
  const read = isRecord(line)
    ? (JSON.parse(line) as Record<string, unknown>)
    : { level: NUMBERS.warn, msg: line };
  return { time: Date.now(), process: name, msg: '', level: NUMBERS.info, ...read };
}

function isRecord(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function pretty({
  level,
  time,
  process: name,
  msg,
  pid: _pid,
  hostname: _hostname,
  ...fields
}: LogRecord): string {
  const clock = new Date(time).toTimeString().slice(0, 8);
  const rest = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [clock, name.padEnd(7), (WORDS[level] ?? String(level)).padEnd(5), msg, ...rest].join(' ');
}
