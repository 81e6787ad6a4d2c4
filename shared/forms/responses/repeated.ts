import { hash } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { nonceHash } from '../tokens/token.ts';
import type { SentAnswers } from './judging.ts';

/** The response that used up the nonce of a form token, as its sender may see it. */
export type Before = {
  id: string;
  form_id: string;
  form_version: number;
  data: Record<string, unknown>;
  ending_id: string | null;
  submitted_at: string;
  payload_sha256: string;
};

/** The response of a form that a nonce was used up by; undefined where it was not. */
export async function responseOfNonce(
  { connection, organization_id }: Reader,
  { form_id, nonce }: { form_id: string; nonce: string },
): Promise<Before | undefined> {
  const [row] = await connection.query<Before>(
    `SELECT id, form_id, form_version, data, ending_id, submitted_at, payload_sha256 FROM forms_responses
      WHERE organization_id = $1 AND form_id = $2 AND nonce_hash = $3`,
    [organization_id, form_id, nonceHash(nonce)],
    { alone: true },
  );
  return row;
}

/** Refuses what was submitted with other answers. Errors: `already_submitted`. */
export function requireSame(before: Before, sent: SentAnswers): void {
  if (before.payload_sha256 !== payloadHash(sent)) throw new Failure('already_submitted');
}

/** What makes two submissions the same: answers and hidden values as they were sent, whatever the order of their members. */
export function payloadHash({ data, hidden }: SentAnswers): string {
  return hash('sha256', JSON.stringify(ordered([data, hidden])), 'base64url');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return members.map(([name, one]) => [name, ordered(one)]);
}
