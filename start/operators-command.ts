import { failureOf } from '../shared/db/constraint.ts';
import { programOptions } from '../shared/kernel/program-options.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { readStartSettings } from '../shared/platform/settings/settings.ts';
import { createAdmin, resetPassword } from './operators/accounts.ts';
import type { Command, Words } from './operators/command.ts';
import { turnLinkKey } from './operators/link-keys.ts';
import { listOrganizations } from './operators/organizations.ts';
import { testMail } from './operators/test-mail.ts';
import { verifyFilesCommand } from './operators/verify-files.ts';

/**
 * npm run operators -- <command>: what operators do that no page of /ops does. With the service's own settings; without
 * DATABASE_URL in the embedded database of a running npm start.
 */
const commands: Record<string, Command> = {
  'create-admin': createAdmin,
  'reset-password': resetPassword,
  'list-organizations': listOrganizations,
  'test-mail': testMail,
  'turn-link-key': turnLinkKey,
  'verify-files': verifyFilesCommand,
};

const HELP = [
  'npm run operators -- COMMAND',
  ...Object.values(commands).flatMap(({ usage, about }) => ['', `  ${usage}`, `      ${about}`]),
].join('\n');

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function main([word, ...rest]: string[]): Promise<void> {
  if (word === undefined || word === '--help' || word === 'help') return say(HELP);
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (!command) throw new StartupError(`${word} is unknown: there are ${Object.keys(commands).join(', ')}.`);
  const words = programOptions(rest, command.options) as Words;
  await command.run(words, { settings: readStartSettings(process.env), now: new Date(), say });
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exit(1);
  },
);

/** What a person at a terminal reads: a sentence, or the trace of what nobody expected. */
function sentenceOf(error: Error): string {
  if (error instanceof StartupError) return error.message;
  // Of two operators at once the second one meets a constraint.
  const { code, message, details } = failureOf(error);
  if (code === 'internal_error') return error.stack ?? error.message;
  const { cause } = details;
  return code === 'unavailable' && cause instanceof Error ? `${message}: ${cause.message}` : `${message}.`;
}
