import { loadOncePerTurn } from '../../db/load-once-per-turn.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { LinkKey } from '../../platform/links/keys.ts';
import { type Sender, senderOf } from './address.ts';
import { type SpamReason, type SpamRules, type Suspect, spamSigns } from './signs.ts';

/** A public submission that is about to be stored, with the address that it came from. */
export type Guarded = Suspect & { form_id: string; ip_address: string };

/**
 * What the guard found: why the response is flagged (it is a person's where nothing is), and who sent it, for the admission to
 * count; null where nobody is counted.
 */
export type Verdict = { reasons: SpamReason[]; sender: Sender | null };

/**
 * The spam guard of a submission: looks for what its address has sent and reads its signs. It flags and never refuses, but for an
 * address that has submitted too often. `key` is that of `ADDRESS_KEY`. Errors: `rate_limited`.
 */
export async function guardAgainstSpam(
  reader: Reader,
  rules: SpamRules,
  key: LinkKey,
  { form_id, ip_address, ...suspect }: Guarded,
): Promise<Verdict> {
  const { per_address } = rules;
  const sender = await senderOf(reader, key, { form_id, ip_address, per_address });
  return { reasons: spamSigns(rules, suspect), sender };
}

const MINUTE = 60_000;

/**
 * Whether a form token that is issued now asks for a proof of work: always, or after more than `burst` submissions of the form
 * in a minute. The token keeps it, and its submission is judged by that: who opened the form before the burst is no suspect.
 */
export async function asksForProof(
  reader: Reader,
  form_id: string,
  { challenge, burst }: SpamRules,
): Promise<boolean> {
  if (challenge !== 'on_burst') return challenge === 'always';
  const count = await lately(reader, `${form_id} ${burst + 1}`);
  return count! > burst;
}

/** By `FORM MOST`, for many requests at once: how many responses the form got in the last minute, so many at the most. */
const lately = loadOncePerTurn<number>(async ({ connection, organization_id, now }, keys) => {
  const since = new Date(now.getTime() - MINUTE).toISOString();
  const count = async (key: string) => {
    const [form_id, most] = key.split(' ');
    const [counted] = await connection.query<{ count: number }>(RECENT, [
      organization_id,
      form_id,
      since,
      Number(most),
    ]);
    return [key, counted!.count] as const;
  };
  return new Map(await Promise.all(keys.map(count)));
});

const RECENT = `SELECT count(*)::integer AS count FROM (
    SELECT FROM unnest(ARRAY[false, true]) AS kind (is_spam), LATERAL (
      SELECT FROM forms_responses
       WHERE organization_id = $1 AND form_id = $2 AND forms_responses.is_spam = kind.is_spam AND submitted_at > $3
       LIMIT $4) AS recent
    LIMIT $4) AS counted`;
