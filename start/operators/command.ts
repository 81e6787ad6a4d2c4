import type { ParseArgsOptionsConfig } from 'node:util';
import type { z } from 'zod';
import { englishOf } from '../../shared/kernel/language.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import type { StartSettings } from '../../shared/platform/settings/settings.ts';

/** What a command is handed: the settings, the time, and where its words go. */
export type Asked = { settings: StartSettings; now: Date; say: (line: string) => void };

/** The words of a command line by their names, without the dashes. */
export type Words = Record<string, string | boolean | undefined>;

/** One command of npm run operators. */
export type Command = {
  /** How it is called, for the help. */
  usage: string;
  /** What it does, for the help. */
  about: string;
  options: ParseArgsOptionsConfig;
  run: (words: Words, asked: Asked) => Promise<void>;
};

/** The value of an option, read by its schema. Errors: a StartupError that names the option. */
export function readOption<Schema extends z.ZodType>(
  words: Words,
  option: string,
  schema: Schema,
): z.output<Schema> {
  const word = words[option];
  if (word === undefined) throw new StartupError(`--${option} is missing.`);
  const read = schema.safeParse(word);
  if (!read.success) throw new StartupError(`--${option} ${englishOf(read.error.issues[0]?.message ?? '')}.`);
  return read.data;
}
