import { z } from 'zod';
import { classOfEvent, failureStatus } from './classify.ts';
import { diagnosticOf, IGNORED, type InboundEvent } from './event.ts';
import { messageIdsIn } from './traces.ts';

const Event = z.object({
  event: z.enum(['bounce', 'spamreport']),
  'smtp-id': z.string().catch(''),
  status: z.string().nullish().catch(null),
  reason: z.string().nullish().catch(null),
});

/** What one event of SendGrid tells. */
export function eventOfSendGrid(value: unknown): InboundEvent {
  const parsed = Event.safeParse(value);
  if (!parsed.success) return IGNORED;
  const { event, 'smtp-id': smtp_id, status, reason } = parsed.data;
  // An ID may come without its angle brackets.
  const traces = {
    tokens: [],
    message_ids: messageIdsIn([smtp_id.includes('<') ? smtp_id : `<${smtp_id}>`]),
  };
  if (event === 'spamreport') return { kind: 'complaint', traces };
  const bounce = {
    class: classOfEvent(status ?? null, reason ?? null),
    status: failureStatus(status ?? ''),
    diagnostic: diagnosticOf(reason),
  };
  return { kind: 'bounce', bounce, traces };
}
