import { z } from 'zod';
import { inboundPage } from '../../shared/mail/bounces/queries.ts';
import { InboundMessage, inboundResults } from '../../shared/mail/bounces/record.ts';
import { list } from '../http/list.ts';

export const inboundMessages = [
  list({
    id: 'mail.inbound_messages.list',
    path: '/api/v1/mail/inbound-messages',
    scope: 'mail:read',
    summary: 'List what came in',
    description:
      'Delivery reports, complaints and mails that came by the hook or the mailbox, and what became of each. Their texts are kept for 30 days and are not shown.',
    item: InboundMessage,
    limit: { default: 50, most: 200 },
    filters: z.object({ result: z.enum(inboundResults).optional() }),
    handle: ({ filters, window }, reader) => inboundPage(reader, filters, window),
  }),
];
