import type { z } from 'zod';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { maskedEmail } from '../../kernel/masked-email.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Table, Work } from '../../kernel/work.ts';
import { isSameSecret } from '../../platform/access/same-secret.ts';
import type { SignerAuth } from '../documents/words.ts';
import { CODE_MINUTES, hashOfCode } from '../mails/code.ts';
import { mailTo } from '../mails/queue.ts';
import { lockForGuest, ownSigner } from './locked.ts';
import type { SentCode } from './record.ts';
import type { Guest } from './seen.ts';
import { requireUnlocked } from './unlocked.ts';

const CODES: Table = { tableName: 'sign_codes' };

const SECOND = 1_000;
const PAUSE = 30 * SECOND;
const HOUR = 60 * 60 * SECOND;
const AN_HOUR = 5;

/** Whether a document opens by a code that is mailed. */
export function isMailed(auth: SignerAuth): boolean {
  return auth === 'email_otp' || auth === 'access_code_and_otp';
}

/**
 * Asks for a mail with a code to the guest; the one before is dead. The worker that sends the mail draws its digits. Errors:
 * `not_found`, `signing_expired`, `not_your_turn`, `invalid_transition`, `no_code_needed`, `access_locked`, `rate_limited`.
 */
export async function askForCode(work: Work, guest: Guest): Promise<z.output<typeof SentCode>> {
  const { stored, seen } = await lockForGuest(work, guest, 'open');
  if (!isMailed(seen.auth)) throw new Failure('no_code_needed');
  requireUnlocked(seen, work.now);
  const waiting = secondsToCode(await recentCodes(work, seen.id), work.now);
  if (waiting > 0) throw tooMany(waiting);
  const { organization_id, now } = work;
  const id = newId('scode', now);
  const expires_at = new Date(now.getTime() + CODE_MINUTES * 60 * SECOND).toISOString();
  work.run(
    'UPDATE sign_codes SET is_alive = false WHERE organization_id = $1 AND signer_id = $2 AND is_alive',
    [organization_id, seen.id],
  );
  work.insert(CODES, {
    id,
    signer_id: seen.id,
    code_hash: null,
    is_alive: true,
    created_at: now.toISOString(),
    expires_at,
  });
  await mailTo(work, stored.document, { kind: 'code', to: ownSigner(stored, seen), told: { code_id: id } });
  work.nothingChanged();
  return { sent_to: maskedEmail(seen.email ?? ''), valid_minutes: CODE_MINUTES };
}

/** When the codes of the last hour were asked for, the latest first. */
async function recentCodes(
  { connection, organization_id, now }: Reader,
  signer_id: string,
): Promise<string[]> {
  const rows = await connection.query<{ created_at: string }>(
    `SELECT created_at FROM sign_codes WHERE organization_id = $1 AND signer_id = $2 AND created_at > $3
     ORDER BY created_at DESC LIMIT ${AN_HOUR}`,
    [organization_id, signer_id, new Date(now.getTime() - HOUR).toISOString()],
  );
  return rows.map(({ created_at }) => created_at);
}

/** Seconds until another code may be asked for, by when those of the last hour were, the latest first: one in 30 s, five an hour. */
export function secondsToCode(recent: readonly string[], now: Date): number {
  const since = (at: string | undefined) => (at === undefined ? HOUR : now.getTime() - Date.parse(at));
  const left = Math.max(PAUSE - since(recent[0]), HOUR - since(recent[AN_HOUR - 1]), 0);
  return Math.ceil(left / SECOND);
}

function tooMany(seconds: number): Failure {
  return new Failure('rate_limited', {
    detail: {
      en: `Another code can be mailed in ${seconds} s`,
      ja: `次のコードは${seconds}秒後に送信できます`,
    },
    headers: { 'Retry-After': String(seconds) },
  });
}

/** A mailed code that works. */
export type LivingCode = { id: string; code_hash: string };

/** The code that works for a signer now; null for none. */
export async function livingCode(
  { connection, organization_id, now }: Reader,
  signer_id: string,
): Promise<LivingCode | null> {
  const [code] = await connection.query<LivingCode>(
    `SELECT id, code_hash FROM sign_codes
      WHERE organization_id = $1 AND signer_id = $2 AND is_alive AND code_hash IS NOT NULL AND expires_at > $3`,
    [organization_id, signer_id, now.toISOString()],
  );
  return code ?? null;
}

/** Whether digits are those of a code. Spaces around and within them come from copying. */
export function isOfCode(code: LivingCode | null, digits: string): boolean {
  return code !== null && isSameSecret(hashOfCode(code.id, digits.replaceAll(/\s/g, '')), code.code_hash);
}

/** Ends a code: it has opened the document. */
export function endCode(work: Work, { id }: LivingCode): void {
  work.update(CODES, id, { is_alive: false });
}
