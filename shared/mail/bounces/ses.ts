import { z } from 'zod';
import { Failure } from '../../kernel/failure.ts';
import { classOfEvent, failureStatus } from './classify.ts';
import { type BounceReport, diagnosticOf, IGNORED, type InboundEvent } from './event.ts';
import { messageIdsIn, tokensIn } from './traces.ts';

/** What Amazon SNS sends around what Amazon SES tells, or to ask for a confirmation. */
const Notification = z.object({ Type: z.literal('Notification'), Message: z.string() });
const Confirmation = z.object({ Type: z.literal('SubscriptionConfirmation'), SubscribeURL: z.string() });

/** Recipients and headers that are read of an event: SES takes 50 recipients a mail, and no mail server writes as many headers. */
const MOST_PARTS = 1_000;

/** The first ones of a list: each part that is wrong costs a fault of its own. */
function first<Part extends z.ZodType>(part: Part) {
  return z
    .array(z.unknown())
    .transform((parts) => parts.slice(0, MOST_PARTS))
    .pipe(z.array(part));
}

const Mail = z.object({
  source: z.string(),
  headers: first(z.object({ name: z.string(), value: z.string() })).catch([]),
});

const BouncedRecipient = z.object({
  status: z.string().nullish(),
  diagnosticCode: z.string().nullish(),
});

/** SES names an event differently as a notification and where events are published. */
const Bounced = z.object({
  kind: z.literal('Bounce'),
  mail: Mail,
  bounce: z.object({ bouncedRecipients: first(BouncedRecipient).refine((parts) => parts.length > 0) }),
});
const Complained = z.object({
  kind: z.literal('Complaint'),
  mail: Mail,
  complaint: z.object({ complaintFeedbackType: z.string().nullish() }),
});

/** Types of RFC 5965; SES names none where the provider tells none. */
const COMPLAINTS: ReadonlySet<string> = new Set(['abuse', 'fraud']);

/**
 * What an object tells that Amazon SES sent, by SNS or as SNS hands it on raw. SNS has it as a text, which `parse` reads: it may
 * be as long as a body, and has the bounds of one. Errors: those of `parse` but `malformed_json`, which tells nothing.
 */
export function eventOfSes(value: unknown, parse: (text: string) => unknown): InboundEvent {
  const confirmation = Confirmation.safeParse(value);
  if (confirmation.success) return eventOfConfirmation(confirmation.data.SubscribeURL);
  const notification = Notification.safeParse(value);
  const told = named(notification.success ? jsonOf(notification.data.Message, parse) : value);
  const bounced = Bounced.safeParse(told);
  if (bounced.success) {
    const { mail, bounce } = bounced.data;
    return { kind: 'bounce', bounce: worstOf(bounce.bouncedRecipients), traces: tracesOf(mail) };
  }
  const complained = Complained.safeParse(told);
  if (!complained.success) return IGNORED;
  const type = complained.data.complaint.complaintFeedbackType ?? 'abuse';
  if (!COMPLAINTS.has(type.toLowerCase())) return IGNORED;
  return { kind: 'complaint', traces: tracesOf(complained.data.mail) };
}

/** Whether that address is one of Amazon SNS: a request for confirmation opens no other. */
export function isConfirmationUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '')
    return false;
  return /^sns\.[a-z0-9-]+\.amazonaws\.com$/.test(url.hostname);
}

function eventOfConfirmation(url: string): InboundEvent {
  return isConfirmationUrl(url) ? { kind: 'confirmation', url } : IGNORED;
}

function worstOf(recipients: readonly z.output<typeof BouncedRecipient>[]): BounceReport {
  const bounces = recipients.map(({ status, diagnosticCode }) => ({
    class: classOfEvent(status ?? null, diagnosticCode ?? null),
    status: failureStatus(status ?? ''),
    diagnostic: diagnosticOf(diagnosticCode),
  }));
  return bounces.find((bounce) => bounce.class === 'hard') ?? bounces[0]!;
}

function tracesOf({ source, headers }: z.output<typeof Mail>) {
  const ids = headers.filter(({ name }) => name.toLowerCase() === 'message-id').map(({ value }) => value);
  return { tokens: tokensIn([source]), message_ids: messageIdsIn(ids) };
}

function named(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  const { notificationType, eventType } = value as { notificationType?: unknown; eventType?: unknown };
  return { ...value, kind: notificationType ?? eventType };
}

function jsonOf(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof Failure && error.code === 'malformed_json') return null;
    throw error;
  }
}
