import { createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Failure, notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import type { SecretKeys } from '../../platform/secrets/keys.ts';
import { keepSecret, readSecret, removeSecret } from '../../platform/secrets/store.ts';
import type { DkimSigner } from '../content/dkim.ts';
import type { DkimKey, DkimKeyInput } from './dkim-record.ts';
import { keepMailSettings } from './operations.ts';
import { mailSettingsOf } from './queries.ts';

const PURPOSE = 'mail.dkim';

/** Keys of an organization, those of all its domains. */
export const MOST_DKIM_KEYS = 20;

/** A new pair of keys: RSA with 2,048 bits (RFC 8301 section 3.2), as PKCS #8 in PEM. It takes a tenth of a second. */
export async function newDkimPair(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * Keeps a key, encrypted, and tells what the domain's DNS must have. Locks: the organization. Errors: `already_exists` at
 * /selector, `limit_reached`.
 */
export async function createDkimKey(
  work: Work,
  { domain, selector }: DkimKeyInput,
  { keys, private_key }: { keys: SecretKeys; private_key: string },
): Promise<DkimKey> {
  await lockOrganization(work.connection, work.organization_id);
  const before = await mailSettingsOf(work);
  if (before.dkim_keys.some((each) => each.selector === selector)) throw selectorInUse();
  if (before.dkim_keys.length >= MOST_DKIM_KEYS) throw tooMany();
  const key: DkimKey = {
    domain,
    selector,
    dns_name: `${selector}._domainkey.${domain}`,
    dns_value: `v=DKIM1; k=rsa; p=${publicPart(private_key)}`,
    created_at: work.now.toISOString(),
  };
  work.run(
    `INSERT INTO mail_dkim_keys (organization_id, selector, domain, dns_name, dns_value, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [work.organization_id, selector, domain, key.dns_name, key.dns_value, key.created_at],
  );
  keepSecret(work, keys, { purpose: PURPOSE, record_id: selector }, private_key);
  keepMailSettings(work, before, { ...before, dkim_keys: [...before.dkim_keys, key].toSorted(bySelector) });
  return key;
}

/** Removes a key with its private part. Locks: the organization. Errors: `not_found`. */
export async function deleteDkimKey(work: Work, selector: string): Promise<void> {
  await lockOrganization(work.connection, work.organization_id);
  const before = await mailSettingsOf(work);
  const dkim_keys = before.dkim_keys.filter((each) => each.selector !== selector);
  if (dkim_keys.length === before.dkim_keys.length) throw notFound();
  work.run('DELETE FROM mail_dkim_keys WHERE organization_id = $1 AND selector = $2', [
    work.organization_id,
    selector,
  ]);
  removeSecret(work, { purpose: PURPOSE, record_id: selector });
  keepMailSettings(work, before, { ...before, dkim_keys });
}

/**
 * What signs the mails of a domain: its newest key. null where it has none, or this process cannot decrypt it; its mails
 * then leave unsigned.
 */
export async function dkimSignerOf(
  reader: Reader,
  keys: SecretKeys,
  domain: string,
): Promise<DkimSigner | null> {
  const [row] = await reader.connection.query<{ selector: string }>(
    `SELECT selector FROM mail_dkim_keys WHERE organization_id = $1 AND domain = $2
     ORDER BY created_at DESC, selector LIMIT 1`,
    [reader.organization_id, domain],
  );
  if (!row) return null;
  const found = await readSecret(reader, keys, { purpose: PURPOSE, record_id: row.selector });
  return found.state === 'readable' ? { domain, selector: row.selector, private_key: found.text } : null;
}

function publicPart(private_key: string): string {
  return createPublicKey(private_key).export({ type: 'spki', format: 'der' }).toString('base64');
}

function bySelector(left: DkimKey, right: DkimKey): number {
  return left.selector < right.selector ? -1 : 1;
}

function selectorInUse(): Failure {
  const message = {
    en: 'Another DKIM key has this selector',
    ja: 'このセレクターはほかのDKIM鍵が使っています',
  };
  return new Failure('already_exists', {
    detail: message,
    errors: [{ in: 'body', path: '/selector', code: 'already_exists', message }],
  });
}

function tooMany(): Failure {
  return new Failure('limit_reached', {
    detail: {
      en: `An organization may have ${MOST_DKIM_KEYS} DKIM keys; delete one first`,
      ja: `DKIM鍵は組織ごとに${MOST_DKIM_KEYS}個までです。先に1つを削除してください`,
    },
  });
}
