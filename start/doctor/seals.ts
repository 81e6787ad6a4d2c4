import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { StartSettings } from '../../shared/platform/settings/settings.ts';
import { subjectOf, validityOf } from '../../shared/sign/pki/certificates.ts';
import { readStamp } from '../../shared/sign/pki/stamps.ts';
import { keptKeyPath } from '../../shared/sign/sealing/kept-key.ts';
import { openSealKey, type SealKey } from '../../shared/sign/sealing/key.ts';
import { stampAuthorityOf, stampOf } from '../../shared/sign/sealing/stamping.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Milliseconds for one answer of the authority. */
const PATIENCE = 20_000;

const DAY = 24 * 60 * 60_000;

/** Days before its end from which a certificate is told of. */
const SOON = 60;

/** Opens the key that seals documents. The embedded mode makes its own at its first start, and not here. */
export async function seal(settings: StartSettings): Promise<Finding> {
  const is_embedded = !settings.signP12 && !settings.databaseUrl;
  if (is_embedded && !existsSync(keptKeyPath(settings.dataDir))) {
    return ok('npm start makes the key that seals documents at its first start.');
  }
  if (!is_embedded && !settings.signP12 && !settings.embeddedDatabase) {
    return warn('SIGN_P12 is not set: no document can be sent for signing.');
  }
  const now = new Date();
  return sealKeyFinding(await openSealKey({ ...settings, embeddedDatabase: true }, now), now);
}

/**
 * Until when a key seals, and its seals are trusted: by its own certificate, without which nothing is sent or sealed, and by those
 * of its issuers, without which readers of PDF files cannot tell whose a seal is.
 */
export function sealKeyFinding(
  { certificate, chain }: Pick<SealKey, 'certificate' | 'chain'>,
  now: Date,
): Finding {
  const words = `The key that seals documents is that of ${subjectOf(certificate)}`;
  const own = endOf(certificate, now);
  if (own.has_ended) return fail(`${words}, whose certificate has ended: set SIGN_P12 to a new one.`);
  if (own.is_soon) return warn(`${words}, whose certificate ${own.words}: set SIGN_P12 to a new one before.`);
  const issuer = chain.find((der) => endOf(der, now).is_soon);
  if (issuer) {
    const { words: end } = endOf(issuer, now);
    return warn(
      `${words}; the certificate of its authority ${subjectOf(issuer)} ${end}: set SIGN_P12 to a key of another one.`,
    );
  }
  return ok(`${words}, valid until ${validityOf(certificate).to.toISOString().slice(0, 10)}.`);
}

/** Asks for a timestamp over random bytes, which nothing is kept of, and looks until when the authority's certificate lasts. */
export async function timestamps(settings: StartSettings): Promise<Finding> {
  const authority = stampAuthorityOf(settings);
  if (!authority) return ok('SIGN_TSA_URL is not set: seals are PAdES B-B, without a timestamp.');
  let token: Uint8Array;
  try {
    token = await stampOf(authority, randomBytes(32).toString('hex'), AbortSignal.timeout(PATIENCE));
  } catch (error) {
    const reason = ((error as Error).cause ?? error) as Error;
    const words = `SIGN_TSA_URL gives no timestamp (${reason.message})`;
    return settings.signTsaRequired
      ? fail(
          `${words}: no document can be sealed. Name an authority that answers, or set SIGN_TSA_REQUIRED=false.`,
        )
      : warn(`${words}: documents are sealed as PAdES B-B.`);
  }
  const { certificate } = readStamp(token);
  const { is_soon, words } = endOf(certificate, new Date());
  if (!is_soon) return ok('The time-stamping authority of SIGN_TSA_URL gives timestamps.');
  return warn(
    `The certificate of the time-stamping authority of SIGN_TSA_URL (${subjectOf(certificate)}) ${words}: ask the authority for its next one.`,
  );
}

/** How far off the end of a certificate is, with words that follow "the certificate". */
function endOf(der: Uint8Array, now: Date): { has_ended: boolean; is_soon: boolean; words: string } {
  const left = validityOf(der).to.getTime() - now.getTime();
  const days = Math.floor(left / DAY);
  const words = left < 0 ? 'has ended' : `ends in ${days} ${days === 1 ? 'day' : 'days'}`;
  return { has_ended: left < 0, is_soon: left <= SOON * DAY, words };
}
