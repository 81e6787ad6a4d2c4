import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { secretKeysOf, secretsKeyFrom } from '../../shared/platform/secrets/keys.ts';
import type { StartSettings } from '../../shared/platform/settings/settings.ts';
import { withCommandDatabase } from '../command-database.ts';
import { secretsKeyOf } from '../operators/secrets-key.ts';
import { fail, ok, warn } from './finding.ts';

/**
 * Whether the keys of the settings open the secrets of the outside that are kept. Nothing else tells at once: a campaign whose
 * DKIM key does not open leaves unsigned.
 */
export async function secrets(settings: StartSettings) {
  const kept = await withCommandDatabase(settings, (database) =>
    database.withConnection(EVERY_ORGANIZATION, (connection) =>
      connection.query<{ key_id: string; count: number }>(
        'SELECT key_id, count(*)::integer AS count FROM sealed_secrets GROUP BY key_id',
      ),
    ),
  );
  const countOf = (belongs: (id: string) => boolean) =>
    kept.reduce((sum, { key_id, count }) => (belongs(key_id) ? sum + count : sum), 0);
  if (isKeyless(settings)) {
    const count = countOf(() => true);
    return count === 0 ? warn(KEYLESS) : fail(`${count} secrets are kept. ${KEYLESS}`);
  }
  const keys = secretKeysOf({ ...settings, secretsKey: secretsKeyOf(settings) });
  const earlier = keys.earlier.map(({ id }) => id);
  const lost = countOf((id) => id !== keys.present?.id && !earlier.includes(id));
  if (lost > 0) return fail(`${lost} kept secrets were encrypted with another key. ${LOST}`);
  const waiting = countOf((id) => earlier.includes(id));
  if (waiting > 0) return warn(`${waiting} kept secrets need PREVIOUS_SECRETS_KEY: ${TURN}`);
  if (isDerived(settings)) return warn(DERIVED);
  return ok('SECRETS_KEY opens all secrets that are kept.');
}

/** Whether there is but the key that follows from AUTH_SECRET, which workers that are started by themselves do not have. */
function isDerived({ authSecret, databaseUrl, secretsKey }: StartSettings): boolean {
  return databaseUrl !== undefined && authSecret !== undefined && secretsKey === secretsKeyFrom(authSecret);
}

/** Whether there is no key at all, as where workers are started by themselves: they are not given AUTH_SECRET. */
function isKeyless({ databaseUrl, secretsKey }: StartSettings): boolean {
  return databaseUrl !== undefined && secretsKey === undefined;
}

const KEYLESS =
  'Neither SECRETS_KEY nor AUTH_SECRET is set, as is so for workers that npm start does not run: they open no secret, and sign no campaign (DKIM). Set SECRETS_KEY for all processes, and AUTH_SECRET of the API as PREVIOUS_SECRETS_KEY.';
const LOST = 'Set SECRETS_KEY to the right one, or PREVIOUS_SECRETS_KEY to the one before.';
const TURN = 'npm run operators -- turn-secrets-key encrypts them with the present key.';
const DERIVED =
  'SECRETS_KEY is not set: workers that npm start does not run open no secret, and sign no campaign (DKIM). Set it for all processes, and AUTH_SECRET as PREVIOUS_SECRETS_KEY.';
