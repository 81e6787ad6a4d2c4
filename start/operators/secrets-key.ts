import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import { secretKeysOf, secretsKeyFrom } from '../../shared/platform/secrets/keys.ts';
import { turnSecrets } from '../../shared/platform/secrets/turn.ts';
import type { StartSettings } from '../../shared/platform/settings/settings.ts';
import { withCommandDatabase } from '../command-database.ts';
import { keptAuthSecret } from '../secret.ts';
import type { Command } from './command.ts';

/** After another SECRETS_KEY was set, the one before being PREVIOUS_SECRETS_KEY. */
export const turnSecretsKey: Command = {
  usage: 'turn-secrets-key',
  about:
    'encrypts secrets of the outside that PREVIOUS_SECRETS_KEY encrypted with SECRETS_KEY; both set, the service may run',
  options: {},
  run: async (_, { settings, now, say }) => {
    const secretsKey = secretsKeyOf(settings);
    const { previousSecretsKey } = settings;
    const keys = secretKeysOf({ secretsKey, previousSecretsKey });
    const { turned, unreadable } = await withCommandDatabase(settings, (database) =>
      database.withConnection(EVERY_ORGANIZATION, (connection) => turnSecrets(connection, keys, now)),
    );
    say(`Secrets that SECRETS_KEY encrypts from now on: ${turned}.`);
    if (unreadable === 0) return say('None is left with another key: PREVIOUS_SECRETS_KEY can go.');
    throw new StartupError(
      `Secrets that no key of the settings opens: ${unreadable}. They stay as they are. Set PREVIOUS_SECRETS_KEY to the key before, or have them entered again.`,
    );
  },
};

/** What keeps secrets of the outside with these settings. Errors: a StartupError where nothing does. */
export function secretsKeyOf({ secretsKey, databaseUrl, dataDir }: StartSettings): string {
  if (secretsKey !== undefined) return secretsKey;
  if (databaseUrl !== undefined)
    throw new StartupError('SECRETS_KEY is required, or AUTH_SECRET where it is derived from that.');
  return secretsKeyFrom(keptAuthSecret(dataDir).value);
}
