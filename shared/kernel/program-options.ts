import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { StartupError } from './startup-error.ts';

/** The options among the words that a program was started with. Throws a StartupError that names an unknown word. */
export function programOptions<Options extends ParseArgsOptionsConfig>(
  words: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: words, options }).values;
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) throw error;
    const [sentence] = (error as Error).message.split('. ');
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new StartupError(`${sentence}; there are ${known.join(', ')}.`, { cause: error });
  }
}
