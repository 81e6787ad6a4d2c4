import type { Work } from '../../kernel/work.ts';
import { bounceRecipient, complainRecipient, unsubscribeRecipient } from './changes.ts';
import type { InboundEvent } from './event.ts';
import { type MailedRecipient, provenRecipient } from './recipients.ts';
import { InboundMessageModel, type InboundResult, type MailBounce } from './record.ts';

/** What a message tells that is not applied yet. */
export type Waiting = { id: string; event: InboundEvent; received_at: string };

type Applied = { result: InboundResult; recipient: MailedRecipient | null; bounce: MailBounce | null };

/** Those of these messages that are not applied yet, in the order of their IDs. */
export async function waitingMessages(
  { connection, organization_id }: Pick<Work, 'connection' | 'organization_id'>,
  ids: readonly string[],
): Promise<Waiting[]> {
  return connection.query<Waiting>(
    `SELECT id, event, received_at FROM mail_inbound_messages
      WHERE organization_id = $1 AND id = ANY ($2) AND applied_at IS NULL ORDER BY id`,
    [organization_id, ids],
  );
}

/**
 * Applies what a message tells, and answers the campaign whose counts it moved; null where it proves no mail, or was applied
 * meanwhile: then nothing changes. Locks: the message, the recipient, the contact, the suppression, the counts.
 */
export async function applyMessage(work: Work, id: string): Promise<string | null> {
  const [waiting] = await work.connection.query<Waiting & { updated_at: string }>(
    `SELECT id, event, received_at, updated_at FROM mail_inbound_messages
      WHERE organization_id = $1 AND id = $2 AND applied_at IS NULL FOR UPDATE`,
    [work.organization_id, id],
  );
  if (!waiting) return null;
  const { result, recipient, bounce } = await apply(work, waiting);
  work.update(InboundMessageModel, id, {
    result,
    recipient_id: recipient?.id ?? null,
    bounce,
    event: null,
    // Nothing that names the address is kept of a contact that is erased.
    ...(recipient?.contact_id === null && { content: null }),
    applied_at: work.now.toISOString(),
    updated_at: work.touch(waiting),
  });
  return recipient?.campaign_id ?? null;
}

async function apply(work: Work, { event, received_at }: Waiting): Promise<Applied> {
  switch (event.kind) {
    case 'bounce': {
      const recipient = await provenRecipient(work, 'bounce', event.traces);
      if (!recipient) return unproven('unmatched');
      await bounceRecipient(work, recipient, event.bounce, received_at);
      const diagnostic = recipient.email === null ? null : event.bounce.diagnostic;
      return { result: 'bounce', recipient, bounce: { ...event.bounce, diagnostic, at: received_at } };
    }
    case 'complaint': {
      const recipient = await provenRecipient(work, 'bounce', event.traces);
      if (!recipient) return unproven('unmatched');
      await complainRecipient(work, recipient, received_at);
      return { result: 'complaint', recipient, bounce: null };
    }
    case 'mail': {
      const recipient = await provenRecipient(work, 'unsubscribe_mail', event.traces);
      if (!recipient) return unproven('unmatched');
      await unsubscribeRecipient(work, recipient, { reason: 'mail', at: received_at });
      return { result: 'unsubscribe', recipient, bounce: null };
    }
    case 'auto_reply':
      return unproven('auto_reply');
    default:
      return unproven('ignored');
  }
}

function unproven(result: InboundResult): Applied {
  return { result, recipient: null, bounce: null };
}
