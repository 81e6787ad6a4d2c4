import { refusesBy } from '../../db/constraint.ts';
import { DAY } from '../../kernel/days.ts';
import { Failure } from '../../kernel/failure.ts';
import { joining, type Statement } from '../../kernel/statement.ts';
import type { Work } from '../../kernel/work.ts';
import { noInvitation } from '../invitations/open.ts';
import { partialLinks } from '../partials/link.ts';
import { type Sender, windowBefore } from '../spam/address.ts';

/** The constraint by which the admission refuses who was judged while the form was published, and it is a draft. */
export const FORM_DRAFT = 'forms_responses_form_draft';

/** Rows that count the responses of a form, so that they do not wait for each other at one. */
export const SLOTS = 16;

/**
 * The e-mail field of which a form takes one response for each address, '' where it takes any number, and the address that is
 * asked for, as CRM compares it; null where there is none.
 */
export type Person = { field_id: string; email_key: string | null };

/** What a response asks of its form when it commits. */
export type Admission = {
  form_id: string;
  response_id: string;
  /** Of whom the form takes one response, by the settings that it was judged by; null asks for nobody. */
  person: Person | null;
  /** The invitation that it uses up; null without one. */
  invitation_id: string | null;
  /** How many responses the form takes; null for any number. */
  max_responses: number | null;
  /** What is added to the counts of the form: a response, spam, or what was spam and is a response now. */
  counts: { responses: number; spam: number };
  /** When it was submitted; null leaves the time of the last response as it is. */
  submitted_at: string | null;
  /** The nonce whose saved partials end with it; null where none can. */
  nonce_hash: string | null;
  /** Who sends it, where the form takes so many from an address; null where nobody is counted. */
  sender: Sender | null;
};

/**
 * Has a response admitted or refused as the work commits, and counted; then ends what was saved under its nonce. Flagged ones ask
 * for neither person, invitation nor quota; their senders are counted as others. What asks for one of the three is sent after all
 * other statements, since it takes a lock that others wait for; the rest is one statement with the rows. Where neither person nor
 * invitation is asked for, responses that come together are admitted together, by one row of the counts. Where the settings for them
 * have changed since the response was judged, the transaction runs again. Refused: `already_answered`, `not_found` for an invitation that
 * has ended, `form_full`, `form_closed`, `form_draft`; by `PER_ADDRESS`, whoever sends it or one that it is admitted with. Locks: the
 * senders' addresses in the order of their keys, the form where a person or the quota is asked for, the invitation, one row of the
 * counts, the saved partials with their links and files.
 */
export function admitAtCommit(work: Work, admission: Admission): void {
  const { form_id, person, invitation_id, max_responses } = admission;
  const of_many = { organization_id: work.organization_id, now: work.now, admission };
  const { text, values } = admissionOf([of_many]);
  if (person?.email_key || invitation_id !== null) {
    work.atCommit({ text, values });
    return;
  }
  const key = JSON.stringify([form_id, person?.field_id, max_responses]);
  const joins = joining({ key, brings: of_many, join: admissionOf });
  work.atCommit({ text, values, table: max_responses === null ? TABLE : null, joins });
  work.shareCommit(key);
}

type Admitted = Pick<Work, 'organization_id' | 'now'> & { admission: Admission };

/** Admits responses of one form that ask for the same. */
function admissionOf(admitted: readonly Admitted[]): Statement {
  const { organization_id, now, admission } = admitted[0]!;
  const { form_id, response_id, person, invitation_id, max_responses } = admission;
  const all = admitted.map((one) => one.admission);
  const times = all.flatMap(({ submitted_at }) => submitted_at ?? []);
  const values = [
    organization_id,
    form_id,
    response_id,
    person?.field_id ?? null,
    person?.email_key ?? null,
    invitation_id,
    max_responses,
    slotOf(response_id),
    sum(all.map(({ counts }) => counts.responses)),
    sum(all.map(({ counts }) => counts.spam)),
    times.toSorted().at(-1) ?? null,
  ];
  const nonces = all.flatMap(({ nonce_hash }) => nonce_hash ?? []);
  if (nonces.length === 0) return { text: ADMIT, values, table: TABLE };
  const kept_since = new Date(now.getTime() - DAY).toISOString();
  const ending = [...values, nonces.toSorted(), partialLinks.name, kept_since];
  const counted = all.filter(({ sender }) => sender !== null);
  if (counted.length === 0) return { text: ADMIT_AND_END, values: ending, table: TABLE };
  const sending = [
    counted.map((one) => one.response_id),
    counted.map(({ sender }) => sender!.address_hash),
    counted.map(({ sender }) => sender!.per_address),
    // Of those that come together the first one looks back the furthest; whoever is refused by that is judged alone.
    admitted.map((one) => windowBefore(one.now)).toSorted()[0],
  ];
  return { text: ADMIT_SENDERS, values: [...ending, ...sending], table: TABLE };
}

const TABLE = 'forms_counts';

const RESPONSES = 'forms_admit_response($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';

const ADMIT = `SELECT ${RESPONSES}`;

/** Kept answers to repeated requests are a day old at the most. */
const END =
  '(SELECT count(forms_end_partials($1, nonce, $13, $14)::text) FROM unnest($12::text[]) AS ended (nonce))';

const ADMIT_AND_END = `${ADMIT}, ${END}`;

/** CASE has the addresses locked before all else. */
const ADMIT_SENDERS = `SELECT
  CASE WHEN forms_admit_addresses($1, $2, $15::text[], $16::text[], $17::integer[], $18) THEN ${RESPONSES}::text END, ${END}`;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The end of an ID is random, so the responses of a form spread over its rows. */
function slotOf(response_id: string): number {
  return Number.parseInt(response_id.slice(-3).replace(/[^0-9a-z]/g, '0'), 36) % SLOTS;
}

/**
 * Waits for the responses of a form that are about to commit, and holds back the others until the work commits: these see then
 * what it did to the form. Locks: the rows of the counts in their order, after the form.
 */
export async function holdResponses({ connection, organization_id }: Work, form_id: string): Promise<void> {
  await connection.query(
    'SELECT FROM forms_counts WHERE organization_id = $1 AND form_id = $2 ORDER BY slot FOR UPDATE',
    [organization_id, form_id],
  );
}

refusesBy('forms_responses_once_a_person', () => new Failure('already_answered'));
refusesBy('forms_responses_invitation_ended', noInvitation);
refusesBy('forms_responses_quota', () => new Failure('form_full'));
refusesBy('forms_responses_form_closed', () => new Failure('form_closed'));
refusesBy(FORM_DRAFT, () => new Failure('form_draft'));
