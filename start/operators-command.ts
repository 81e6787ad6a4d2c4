import { programOptions } from '../shared/kernel/program-options.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { readStartSettings } from '../shared/platform/settings/settings.ts';
import type { Command, Words } from './operators/command.ts';
import { runProgram, say } from './operators/program.ts';

/**
 * npm run operators -- <command>: what operators do that no page of /ops does. With the service's own settings; without
 * DATABASE_URL in the embedded database of a running npm start. A command is loaded when it is asked for: some take a
 * second of the processor.
 */
const commands: Record<string, () => Promise<Command>> = {
  'create-admin': async () => (await import('./operators/accounts.ts')).createAdmin,
  'reset-password': async () => (await import('./operators/accounts.ts')).resetPassword,
  'list-organizations': async () => (await import('./operators/organizations.ts')).listOrganizations,
  'test-mail': async () => (await import('./operators/test-mail.ts')).testMail,
  'turn-link-key': async () => (await import('./operators/link-keys.ts')).turnLinkKey,
  'turn-secrets-key': async () => (await import('./operators/secrets-key.ts')).turnSecretsKey,
  'verify-files': async () => (await import('./operators/verify-files.ts')).verifyFilesCommand,
};

async function help(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const lines = all.flatMap(({ usage, about }) => ['', `  ${usage}`, `      ${about}`]);
  return ['npm run operators -- COMMAND', ...lines].join('\n');
}

async function main([word, ...rest]: string[]): Promise<void> {
  if (word === undefined || word === '--help' || word === 'help') return say(await help());
  const load = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (!load) throw new StartupError(`${word} is unknown: there are ${Object.keys(commands).join(', ')}.`);
  const command = await load();
  const words = programOptions(rest, command.options) as Words;
  await command.run(words, { settings: readStartSettings(process.env), now: new Date(), say });
}

runProgram(main);
