import { buffer } from 'node:stream/consumers';
import { UnreadableFile } from './failure.ts';
import type { ChildAnswer, Read } from './reader.ts';

/**
 * The process that reads one file and ends. It is given the module of the reader as its argument, and on standard input a
 * line of JSON, the question, before the bytes of the file. It answers with JSON on standard output.
 */
const NEW_LINE = 0x0a;

const given = await buffer(process.stdin);
const end = given.indexOf(NEW_LINE);
const { read } = (await import(process.argv[2]!)) as { read: Read<unknown, unknown> };
process.stdout.write(JSON.stringify(await answerOf(JSON.parse(given.toString('utf8', 0, end)))));

async function answerOf(question: unknown): Promise<ChildAnswer<unknown>> {
  try {
    return { answer: await read(question, given.subarray(end + 1)) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { refused: error.word };
    throw error;
  }
}
