import { buffer } from 'node:stream/consumers';
import { UnreadableFile } from './failure.ts';
import type { ChildAnswer, Read } from './reader.ts';

/**
 * The process that reads one file and ends. It is given the module of the reader as its argument, and on standard input a
 * line of JSON, the question, before the bytes of the file. It answers with a line of JSON on standard output, and after it
 * with the bytes that the answer has as its member `bytes`.
 */
const NEW_LINE = 0x0a;

const given = await buffer(process.stdin);
const end = given.indexOf(NEW_LINE);
const { read } = (await import(process.argv[2]!)) as { read: Read<unknown, unknown> };
const answered = await answerOf(JSON.parse(given.toString('utf8', 0, end)));
const bytes = 'answer' in answered ? (answered.answer as { bytes?: unknown } | null)?.bytes : undefined;
process.stdout.write(`${JSON.stringify(answered, withoutBytes)}\n`);
if (bytes instanceof Uint8Array) process.stdout.write(bytes);

/** What is sent behind the line stands in it as null. */
function withoutBytes(_: string, value: unknown): unknown {
  return value === bytes && value instanceof Uint8Array ? null : value;
}

async function answerOf(question: unknown): Promise<ChildAnswer<unknown>> {
  try {
    return { answer: await read(question, given.subarray(end + 1)) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { refused: error.word };
    throw error;
  }
}
