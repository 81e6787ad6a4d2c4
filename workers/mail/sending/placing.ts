import type { Logger } from 'pino';
import type { Work } from '../../../shared/kernel/work.ts';
import type { RenderedMail } from '../../../shared/mail/content/compiled.ts';
import { takeTurn } from '../../../shared/mail/sending/domain-speeds.ts';
import { type Begins, HORIZON, isLimited, takeBegins } from '../../../shared/mail/sending/ledger.ts';
import { countDue, type MarkedRecipient, markRecipients } from '../../../shared/mail/sending/mark.ts';
import { queuedAs } from '../../../shared/mail/sending/outcomes.ts';
import { FARTHEST } from '../../../shared/mail/sending/put-off.ts';
import { type Settlement, settleRecipients } from '../../../shared/mail/sending/settle.ts';
import type { Marked } from './lane.ts';
import type { Opened } from './opened.ts';

/** A marked recipient whose mail may begin at `begins_at`: milliseconds; `placed_by`: as of `Marked`. */
export type Placed = MarkedRecipient & { begins_at: number; placed_by: number | null };

/** Nothing may begin. */
export const NONE: Begins = { begins: [], spacings: {}, free_at: null };

/**
 * Takes the right to begin up to `room` mails, and for no more recipients than are due: what is taken and does not begin is lost to
 * the others who share a limit.
 */
export async function beginsFor(
  work: Work,
  { campaign, sharing }: Pick<Opened, 'campaign' | 'sharing'>,
  room: number,
): Promise<Begins> {
  if (!isLimited(sharing)) return takeBegins(work, sharing, room);
  const due = await countDue(work, campaign.id, room);
  return due === 0 ? NONE : takeBegins(work, sharing, due);
}

/** Marks as many recipients as may begin; those of a domain that is held back wait for its turn. */
export async function markNext(
  work: Work,
  { campaign, speeds }: Opened,
  { begins }: Begins,
  lease_id: string,
): Promise<{ marked: Placed[]; found: number }> {
  if (begins.length === 0) return { marked: [], found: 0 };
  const { marked, found } = await markRecipients(work, campaign, { most: begins.length, lease_id });
  const placed: Placed[] = [];
  const later: Settlement[] = [];
  for (const [index, recipient] of byDomain(marked)) {
    const speed = speeds.get(domainOf(recipient));
    const begins_at = begins[index]!;
    if (!speed) {
      placed.push({ ...recipient, begins_at, placed_by: null });
      continue;
    }
    const now = work.now.getTime();
    const turn = await takeTurn(work, domainOf(recipient), { interval: speed.interval, by: now + HORIZON });
    if (turn.begins_at !== null) {
      const placed_by = speed.changed_at;
      placed.push({ ...recipient, begins_at: Math.max(begins_at, turn.begins_at), placed_by });
      continue;
    }
    // Its turn comes after those that were put off before it; farther than that nobody looks.
    speed.next_at = Math.min(Math.max(speed.next_at, turn.next_at) + speed.interval, now + FARTHEST);
    later.push(putOff(recipient, speed.next_at, work.now));
  }
  placed.sort((left, right) => left.begins_at - right.begins_at || left.number - right.number);
  await settleRecipients(work, { campaign_id: campaign.id, lease_id, status: 'sending' }, later);
  return { marked: placed, found };
}

/** Recipients with their places, in the order in which everybody locks domains. */
function byDomain(marked: readonly MarkedRecipient[]): [number, MarkedRecipient][] {
  const domains = new Map(marked.map((recipient) => [recipient.number, domainOf(recipient)]));
  return [...marked.entries()].sort(([, left], [, right]) => {
    const [one, other] = [domains.get(left.number)!, domains.get(right.number)!];
    return one === other ? left.number - right.number : one < other ? -1 : 1;
  });
}

function domainOf({ email_key }: Pick<MarkedRecipient, 'email_key'>): string {
  return email_key.slice(email_key.lastIndexOf('@') + 1);
}

function putOff({ number, attempts }: MarkedRecipient, at: number, now: Date): Settlement {
  const outcome = queuedAs({ attempts, next_attempt_at: new Date(at).toISOString() });
  return { number, outcome, message_id: null, at: now.toISOString() };
}

/** A row whose dialogue has not begun is queued as before. */
export function unbegun({ number, attempts, next_attempt_at }: Marked, now: Date): Settlement {
  return {
    number,
    outcome: queuedAs({ attempts, next_attempt_at }),
    message_id: null,
    at: now.toISOString(),
  };
}

/**
 * The mails of marked rows. `settled`: whose contact has lost a value meanwhile, and whose mail cannot be composed, which is logged. A
 * fault of the signing is that of all mails: it is thrown.
 */
export async function writeLetters(
  { mail, sign }: Pick<Opened, 'mail' | 'sign'>,
  recipients: readonly Placed[],
  { spacings, now, log }: Pick<Begins, 'spacings'> & { now: Date; log: Logger },
): Promise<{ written: Marked[]; settled: Settlement[] }> {
  const written: Marked[] = [];
  const settled: Settlement[] = [];
  for (const { begins_at, placed_by, ...recipient } of recipients) {
    const { number, attempts, next_attempt_at, id } = recipient;
    const ended = (status: 'skipped' | 'failed', reason: string) => {
      const outcome = { ...queuedAs({ attempts, next_attempt_at: null }), status, reason };
      settled.push({ number, outcome, message_id: null, at: now.toISOString() });
    };
    const rendered = composed(() => mail.render(recipient, now), id, log);
    if (rendered === null) {
      ended('failed', 'not_composed');
      continue;
    }
    const { message, message_id, envelope, missing } = rendered;
    if (missing.length > 0) {
      ended('skipped', 'missing_value');
      continue;
    }
    written.push({
      number,
      message_id,
      attempts,
      next_attempt_at,
      domain: domainOf(recipient),
      placed_by,
      begins_at,
      spacings,
      letter: { id, message: sign ? await sign(message) : message, envelope },
    });
  }
  return { written, settled };
}

/** A mail; null where its values have a fault in it. The error's own words may hold them. */
function composed(render: () => RenderedMail, recipient_id: string, log: Logger): RenderedMail | null {
  try {
    return render();
  } catch (error) {
    const { name, stack } = error instanceof Error ? error : new Error('no error');
    const at = stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
    log.error({ recipient_id, error: name, at: at?.trim() }, 'A mail of a campaign cannot be composed');
    return null;
  }
}
