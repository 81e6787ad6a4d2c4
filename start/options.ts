import { StartupError } from '../shared/kernel/startup-error.ts';

export type Options = {
  /** Whether the very first start makes records to try the service with. */
  demo: boolean;
  /** Whether the API and the workers start again when a source file changes. */
  watch: boolean;
};

/** The words after `npm start --`. Throws a StartupError for an unknown one. */
export function readOptions(words: string[]): Options {
  const unknown = words.find((word) => !['--no-demo', '--watch'].includes(word));
  if (unknown) throw new StartupError(`The option ${unknown} is unknown: there are --no-demo and --watch.`);
  return { demo: !words.includes('--no-demo'), watch: words.includes('--watch') };
}
