import type { Connection } from '../../kernel/connection.ts';
import type { SealSettings } from '../../platform/settings/settings.ts';
import { pemOf, sha256Of } from '../pki/certificates.ts';
import { sealKeyOf } from './key.ts';

/** Certificates that are shown, of those that sealed last: a new key a year for a century. */
const MOST = 100;

/**
 * Every certificate that has sealed, and the one that seals now, each followed by its issuers: PEM, the newest first. Empty where
 * nothing can be sealed and nothing was.
 */
export async function sealCertificates(
  { query }: Connection,
  settings: SealSettings,
  now: Date,
): Promise<string> {
  const known = await query<{ sha256: string; chain: string }>(
    `SELECT sha256, chain FROM sign_seal_certificates ORDER BY created_at DESC, sha256 DESC LIMIT ${MOST}`,
  );
  // What cannot seal now is told where documents are sent.
  const present = await sealKeyOf(settings, now).catch(() => null);
  const isNew = present && !known.some(({ sha256 }) => sha256 === sha256Of(present.certificate));
  const own = isNew ? [present.certificate, ...present.chain].map((der) => pemOf('CERTIFICATE', der)) : [];
  return [...own, ...known.map(({ chain }) => chain)].join('');
}
