import { UnreadableFile } from './failure.ts';
import { type Frame, frameOf, framesOf } from './frames.ts';
import { Made, type Read } from './made.ts';

/**
 * The process that reads files for another one and ends with its input. It is given the module of the reader as its argument,
 * on standard input a question before the bytes of each file, and answers each on standard output.
 */
// A library that prints what it finds wrong would break the answers: only these go to standard output.
const writeAnswer = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

const { read } = (await import(process.argv[2]!)) as { read: Read<unknown, unknown> };

for await (const frame of framesOf(process.stdin)) {
  for (const part of await answered(frame)) writeAnswer(part);
}

async function answered({ value: question, content }: Frame): Promise<Buffer[]> {
  try {
    const answer = await read(question, content);
    if (answer instanceof Made) return frameOf({ answer: answer.answer }, answer.content);
    return frameOf({ answer }, Buffer.alloc(0));
  } catch (error) {
    if (error instanceof UnreadableFile) return frameOf({ refused: error.word }, Buffer.alloc(0));
    throw error;
  }
}
