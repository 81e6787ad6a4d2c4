import { type BounceClass, classOfReport, failureStatus } from '../classify.ts';
import { type BounceReport, diagnosticOf, IGNORED, type InboundEvent } from '../event.ts';
import { messageIdsIn, tokensIn, tokensInEnvelopeIds } from '../traces.ts';
import { blocksOf, type Fields, withoutType } from './fields.ts';

/** A mail as far as it is looked at: its header fields, the text of its report and the header of what was returned. */
export type Arrived = {
  /** Values by the names of the fields in small letters, the topmost first. */
  headers: ReadonlyMap<string, readonly string[]>;
  /** Of a delivery report (RFC 3464). */
  delivery_status: string | null;
  /** Of a feedback report (RFC 5965). */
  feedback: string | null;
  /** The header of the mail that comes back. */
  returned: string | null;
};

/** Feedback that a person has given about a mail; the others tell of signatures, or that it is no spam. */
const COMPLAINTS: ReadonlySet<string> = new Set(['abuse', 'fraud']);

/** What a mail tells. */
export function eventOfMail(mail: Arrived): InboundEvent {
  if (mail.delivery_status !== null) return eventOfDeliveryStatus(mail, blocksOf(mail.delivery_status));
  if (mail.feedback !== null) return eventOfFeedback(mail, blocksOf(mail.feedback));
  const auto_submitted = valuesOf(mail, 'auto-submitted')[0] ?? '';
  const tokens = envelopeTokens(mail);
  const traces = { tokens, message_ids: [] };
  if (/^\s*auto-replied\b/i.test(auto_submitted)) return { kind: 'auto_reply', traces };
  return tokens.length > 0 ? { kind: 'mail', traces } : IGNORED;
}

/** The worst that a report says of its recipients: mails of campaigns have one each. */
function eventOfDeliveryStatus(mail: Arrived, blocks: readonly Fields[]): InboundEvent {
  const bounces = blocks.flatMap((block) => bounceOf(block) ?? []);
  const bounce = bounces.find((one) => one.class === 'hard') ?? bounces[0];
  if (!bounce) return IGNORED;
  const envelope_ids = blocks.map((block) => block.get('original-envelope-id'));
  return { kind: 'bounce', bounce, traces: tracesOf(mail, envelope_ids, []) };
}

/** The bounce of a block; null for that of the message, for an incomplete one, and for what is no failure. */
function bounceOf(block: Fields): BounceReport | null {
  const action = block.get('action');
  const status = block.get('status');
  if (action === undefined || status === undefined) return null;
  const diagnostic = diagnosticOf(withoutType(block.get('diagnostic-code')));
  const found: BounceClass | null = classOfReport({ action, status, diagnostic });
  if (found === null) return null;
  return { class: found, status: failureStatus(status), diagnostic };
}

function eventOfFeedback(mail: Arrived, blocks: readonly Fields[]): InboundEvent {
  const [fields] = blocks;
  if (!COMPLAINTS.has(fields?.get('feedback-type')?.toLowerCase() ?? '')) return IGNORED;
  const traces = tracesOf(mail, [fields?.get('original-envelope-id')], [fields?.get('original-mail-from')]);
  return { kind: 'complaint', traces };
}

/** The token in the envelope recipient, else in the envelope ID, else the Message-ID of what came back. */
function tracesOf(
  mail: Arrived,
  envelope_ids: readonly (string | undefined)[],
  envelope_senders: readonly (string | undefined)[],
) {
  const tokens = [
    ...envelopeTokens(mail),
    ...tokensInEnvelopeIds(envelope_ids),
    ...tokensIn(envelope_senders),
  ];
  const returned = mail.returned === null ? [] : blocksOf(mail.returned).slice(0, 1);
  const message_ids = messageIdsIn(returned.map((fields) => fields.get('message-id')));
  return { tokens: [...new Set(tokens)], message_ids };
}

/** Who the mail came to: mail servers write it in these fields. */
function envelopeTokens(mail: Arrived): string[] {
  return tokensIn([
    ...valuesOf(mail, 'delivered-to'),
    ...valuesOf(mail, 'x-original-to'),
    ...valuesOf(mail, 'to'),
  ]);
}

function valuesOf({ headers }: Arrived, name: string): readonly string[] {
  return headers.get(name) ?? [];
}
