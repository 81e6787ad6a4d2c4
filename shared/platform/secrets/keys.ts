import { createHash, hkdfSync } from 'node:crypto';

/** Settings that the keys of secrets at rest are derived from. */
export type SecretSettings = {
  secretsKey?: string | undefined;
  previousSecretsKey?: string | undefined;
};

/** The keys of this process: what seals, and what opens values that are sealed with an earlier key. */
export type SecretKeys = {
  /** null where neither SECRETS_KEY nor AUTH_SECRET is known. */
  present: SecretKey | null;
  earlier: readonly SecretKey[];
};

/** Material that the key of each purpose is derived from, and the name that stands beside each value. */
export type SecretKey = { id: string; material: Buffer };

const NO_SALT = new Uint8Array();

/**
 * What stands for SECRETS_KEY where it is absent. Workers are given this and not AUTH_SECRET, which does not follow from
 * it: nobody who reads a secret of the outside can make a session with it.
 */
export function secretsKeyFrom(auth_secret: string): string {
  return Buffer.from(hkdfSync('sha256', auth_secret, NO_SALT, 'secrets at rest', 32)).toString('hex');
}

/**
 * The keys by the settings. The one before may be the earlier SECRETS_KEY, or the earlier AUTH_SECRET where there was none:
 * the id beside a value says which of the two it is.
 */
export function secretKeysOf({ secretsKey, previousSecretsKey }: SecretSettings): SecretKeys {
  const earlier =
    previousSecretsKey === undefined ? [] : [previousSecretsKey, secretsKeyFrom(previousSecretsKey)];
  return { present: secretsKey === undefined ? null : keyOf(secretsKey), earlier: earlier.map(keyOf) };
}

function keyOf(setting: string): SecretKey {
  const material = createHash('sha256').update(setting).digest();
  const id = Buffer.from(hkdfSync('sha256', material, NO_SALT, 'id of the key', 8)).toString('hex');
  return { id, material };
}

/** The AES key of a purpose: values of one purpose cannot be opened as those of another. */
export function purposeKey({ material }: SecretKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', material, NO_SALT, `secrets of ${purpose}`, 32));
}
