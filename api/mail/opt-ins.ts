import { z } from 'zod';
import { optInPage } from '../../shared/mail/opt-ins/queries.ts';
import { OptIn, OptInInput, optInStatuses } from '../../shared/mail/opt-ins/record.ts';
import { requestOptIn } from '../../shared/mail/opt-ins/request.ts';
import { write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { resource } from '../http/resource.ts';

const optIn = resource({
  id: 'mail.opt_ins',
  path: '/api/v1/mail/opt-ins',
  domain: 'mail',
  one: 'an opt-in',
  prefix: 'mopt',
});

export const optIns = [
  list({
    ...optIn.list,
    summary: 'List opt-ins',
    description: 'What people were asked to confirm, and whether they did.',
    item: OptIn,
    limit: { default: 50, most: 200 },
    filters: z.object({ status: z.enum(optInStatuses).optional() }),
    handle: ({ filters, window }, reader) => optInPage(reader, filters, window),
  }),
  write({
    ...optIn.create,
    status: 202,
    summary: 'Ask for an opt-in',
    description:
      'A mail goes to the address, with a link to a page whose button confirms: then the address is an active contact of the list with a recorded consent, also where it had refused. The link works for seven days. The answer is alike for every address; none that is suppressed or has bounced is mailed, and no address more than three times a day.',
    body: OptInInput,
    reply: z.strictObject({ opt_in: OptIn }),
    raises: ['unknown_reference'],
    handle: async ({ body }, work) => ({ opt_in: await requestOptIn(work, body) }),
  }),
];
