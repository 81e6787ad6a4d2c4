import { hash } from 'node:crypto';
import { loadOncePerTurn } from '../../db/load-once-per-turn.ts';
import { oneOf } from '../../db/one-of.ts';
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

/** By `FORM NONCE_HASH`, for many requests at once: of those that come together hardly any finds one. */
const lookUp = loadOncePerTurn<Before>(async ({ connection, organization_id }, keys) => {
  const asked = keys.map((key) => key.split(' '));
  const rows = await connection.query<Before & { nonce_hash: string }>(
    `SELECT id, form_id, form_version, data, ending_id, submitted_at, payload_sha256, nonce_hash FROM forms_responses
      WHERE organization_id = $1 AND form_id = ${oneOf('$2')} AND nonce_hash = ${oneOf('$3')}`,
    [organization_id, [...new Set(asked.map(([form_id]) => form_id))], asked.map(([, nonce]) => nonce)],
    { alone: true },
  );
  return new Map(rows.map(({ nonce_hash, ...row }) => [`${row.form_id} ${nonce_hash}`, row]));
});

/** The response of a form that a nonce was used up by; undefined where it was not. */
export function responseOfNonce(
  reader: Reader,
  { form_id, nonce }: { form_id: string; nonce: string },
): Promise<Before | undefined> {
  return lookUp(reader, `${form_id} ${nonceHash(nonce)}`);
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
