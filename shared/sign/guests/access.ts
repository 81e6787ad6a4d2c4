import { Failure, type FieldError, invalidAll } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Table, Work } from '../../kernel/work.ts';
import { isPasswordOf } from '../../platform/access/passwords.ts';
import { announceSigner, documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { hasAccessCode } from '../documents/words.ts';
import { addToTrail } from '../trail/add.ts';
import { endCode, isMailed, isOfCode, type LivingCode, livingCode } from './codes.ts';
import { entryOf } from './entry.ts';
import { type Locked, lockForGuest, ownSigner } from './locked.ts';
import type { AccessInput } from './record.ts';
import { type Guest, hashOfAccess, type Seen, seenBy } from './seen.ts';
import { requireStanding } from './standing.ts';
import { afterWrongTry, NO_TRIES } from './tries.ts';
import { requireUnlocked } from './unlocked.ts';

/** Hours that a document stays open in a browser. */
export const ACCESS_HOURS = 2;

const ACCESSES: Table = { tableName: 'sign_accesses' };

/** Times that a signer opens a document within those hours: each is an event of the trail, which the sealed file holds whole. */
export const MOST_ACCESSES = 20;

/** What opening works with: reads and writes that hold a connection while they run alone. */
export type AccessSteps = {
  read<T>(run: (reader: Reader) => Promise<T>): Promise<T>;
  /** One transaction; it may end without a fact. */
  write<T>(run: (work: Work) => Promise<T>): Promise<T>;
  /** Runs what hashes a code, when it is the turn of the client's address. */
  inTurn<T>(run: () => Promise<T>): Promise<T>;
  /** A new 256-bit token (`tokenFrom`). */
  newToken(): string;
};

/**
 * Opens a document to a guest, and answers the token of the access, of which the hash alone is kept. A code is compared before
 * the transaction, which then counts the try and alone decides: of many tries at once the ones after a lock are refused whatever
 * they were. Errors: `not_found`, `signing_expired`, `not_your_turn`, `invalid_transition`, `access_locked`,
 * `validation_failed` for a code that is missing or not asked for, `wrong_code`, `rate_limited`.
 */
export async function openAccess(steps: AccessSteps, guest: Guest, sent: AccessInput): Promise<string> {
  const asked = await steps.read(async (reader) => {
    const seen = await seenBy(reader, guest);
    requireStanding(seen, 'open', reader.now);
    requireUnlocked(seen, reader.now);
    requireCodes(seen, sent);
    return { seen, code: await livingCode(reader, seen.id) };
  });
  const { access_code } = sent;
  const isKnown =
    access_code === undefined ||
    (await steps.inTurn(() => isPasswordOf(asked.seen.access_code_hash, access_code)));
  const access_token = steps.newToken();
  const wrong = await steps.write(async (work) => {
    const locked = await lockForGuest(work, guest, 'open');
    const { seen } = locked;
    requireUnlocked(seen, work.now);
    const code = isMailed(seen.auth) ? await livingCode(work, seen.id) : null;
    const isSame = isKnown && seen.access_code_hash === asked.seen.access_code_hash;
    if (!isSame || (isMailed(seen.auth) && !isOfCode(code, sent.otp ?? ''))) {
      return countWrong(work, guest, locked);
    }
    await requireFewAccesses(work, seen.id);
    grant(work, guest, { locked, code, access_token });
    return null;
  });
  if (wrong) throw wrong;
  return access_token;
}

/** Sees that the codes are sent which the document asks for, and no others. Errors: `validation_failed`. */
function requireCodes({ auth }: Seen, sent: AccessInput): void {
  const asked = { access_code: hasAccessCode(auth), otp: isMailed(auth) };
  const faults = (['access_code', 'otp'] as const).flatMap((name): FieldError[] => {
    if (asked[name] === (sent[name] !== undefined)) return [];
    const [code, message] = asked[name]
      ? (['required', { en: `${name} is required`, ja: `${name} は必須です` }] as const)
      : (['not_allowed', { en: `${name} is not asked for`, ja: `${name} は不要です` }] as const);
    return [{ in: 'body', path: `/${name}`, code, message }];
  });
  if (faults.length > 0) throw invalidAll(faults);
}

/** Errors: `rate_limited` for who has opened the document too often. */
async function requireFewAccesses(
  { connection, organization_id, now }: Work,
  signer_id: string,
): Promise<void> {
  const living = await connection.query<{ expires_at: string }>(
    `SELECT expires_at FROM sign_accesses WHERE organization_id = $1 AND signer_id = $2 AND expires_at > $3
     ORDER BY expires_at DESC LIMIT ${MOST_ACCESSES}`,
    [organization_id, signer_id, now.toISOString()],
  );
  if (living.length < MOST_ACCESSES) return;
  const seconds = Math.ceil((Date.parse(living.at(-1)!.expires_at) - now.getTime()) / 1_000);
  throw new Failure('rate_limited', {
    detail: {
      en: `The document was opened ${MOST_ACCESSES} times; it opens again in ${seconds} s`,
      ja: `書類を${MOST_ACCESSES}回開いています。${seconds}秒後にもう一度開けます`,
    },
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Counts a wrong code, locks where it is one too many, and answers the refusal. */
function countWrong(work: Work, guest: Guest, { stored, seen }: Locked): Failure {
  const draft = draftOf(stored);
  const signer = ownSigner(draft, seen);
  const { tries, attempts_left } = afterWrongTry(seen, work.now);
  Object.assign(signer, tries);
  const entries = [entryOf(guest, signer, 'access_failed', { attempts_left })];
  const { locked_until } = tries;
  if (attempts_left === 0) entries.push(entryOf(guest, signer, 'access_locked', { locked_until }));
  addToTrail(work, draft.document, entries);
  documentChanged(work, stored, draft);
  return new Failure('wrong_code', { members: { attempts_left, locked_until } });
}

type Granting = { locked: Locked; code: LivingCode | null; access_token: string };

/** Lets a guest in: the mailed code is used up, wrong tries are forgotten, and the first time the signer has viewed it. */
function grant(work: Work, guest: Guest, { locked: { stored, seen }, code, access_token }: Granting): void {
  const { now } = work;
  const draft = draftOf(stored);
  const signer = ownSigner(draft, seen);
  Object.assign(signer, NO_TRIES);
  if (code) endCode(work, code);
  work.insert(ACCESSES, {
    token_hash: hashOfAccess(access_token),
    signer_id: seen.id,
    link_hash: guest.link_hash,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + ACCESS_HOURS * 60 * 60_000).toISOString(),
  });
  addToTrail(work, draft.document, [entryOf(guest, signer, 'opened', { auth: seen.auth })]);
  const isFirst = signer.status === 'notified';
  if (isFirst) Object.assign(signer, { status: 'viewed', viewed_at: now.toISOString() });
  documentChanged(work, stored, draft, 'viewed');
  if (isFirst) announceSigner(work, 'sign.signer.viewed', ownSigner(stored, seen), signer);
}
