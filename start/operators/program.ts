import { failureOf } from '../../shared/db/constraint.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';

/** Writes a line for the person at the terminal. */
export const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Runs the program of a command line with its words, and ends the process: with 1, and a sentence, where it fails. */
export function runProgram(main: (words: string[]) => Promise<void>): void {
  main(process.argv.slice(2)).then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`${sentenceOf(error)}\n`);
      process.exit(1);
    },
  );
}

/** What a person at a terminal reads: a sentence, or the trace of what nobody expected. */
function sentenceOf(error: Error): string {
  if (error instanceof StartupError) return error.message;
  // Of two operators at once the second one meets a constraint.
  const { code, message, details } = failureOf(error);
  if (code === 'internal_error') return error.stack ?? error.message;
  const { cause } = details;
  return code === 'unavailable' && cause instanceof Error ? `${message}: ${cause.message}` : `${message}.`;
}
