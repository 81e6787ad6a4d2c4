import { createHash } from 'node:crypto';
import type { Composing } from '../../platform/mailer/purpose.ts';

/** How long a mailed code works, in minutes from when its mail is sent. */
export const CODE_MINUTES = 10;

/**
 * What is kept of a mailed code: its SHA-256 with its own ID. Six digits are found by trying, whatever the hash: what guards
 * them is that few tries are taken, and that they end soon.
 */
export function hashOfCode(code_id: string, digits: string): string {
  return createHash('sha256').update(`${code_id}:${digits}`, 'utf8').digest('hex');
}

/**
 * Draws the digits of a code whose mail is about to be sent, keeps their hash, and begins its time. Each try to send draws anew, so
 * that the mail which arrives has the code that works. Null where the code is dead by now.
 */
export async function drawCode(
  {
    connection,
    organization_id,
    now,
    newToken,
  }: Pick<Composing, 'connection' | 'organization_id' | 'now' | 'newToken'>,
  code_id: string,
): Promise<string | null> {
  const digits = digitsOf(newToken());
  const expires_at = new Date(now.getTime() + CODE_MINUTES * 60_000).toISOString();
  const drawn = await connection.query(
    `UPDATE sign_codes SET code_hash = $3, expires_at = $4
      WHERE organization_id = $1 AND id = $2 AND is_alive RETURNING 1`,
    [organization_id, code_id, hashOfCode(code_id, digits), expires_at],
  );
  return drawn.length === 0 ? null : digits;
}

/** Six digits of 256 random bits as hexadecimal digits: 2^52 numbers make a million codes, each as likely to a billionth. */
function digitsOf(random: string): string {
  return String(Number.parseInt(random.slice(0, 13), 16) % 1_000_000).padStart(6, '0');
}
