import { z } from 'zod';
import { invalid } from '../../shared/kernel/failure.ts';
import { unsubscribeLinks } from '../../shared/mail/guests/links.ts';
import { guestOf } from '../../shared/mail/guests/recipient.ts';
import {
  MailSubscription,
  MailUnsubscription,
  subscriptionOf,
} from '../../shared/mail/guests/subscription.ts';
import { leaveLists, unsubscribeAll } from '../../shared/mail/guests/unsubscribe.ts';
import { read, write } from '../http/endpoint.ts';

const ofMail = {
  path: '/api/v1/mail/u/:token',
  scope: 'link',
  link: unsubscribeLinks,
  params: z.strictObject({
    token: z
      .string()
      .describe('From `List-Unsubscribe` of the mail.')
      .meta({ examples: ['1111c15a2m4k7q9t0w3y6z8b'] }),
  }),
} as const;

export const unsubscribing = [
  read({
    ...ofMail,
    id: 'mail.subscription.get',
    method: 'get',
    summary: 'See what mail you get',
    description: 'Of the holder of a mail. It changes nothing: robots open links too.',
    reply: MailSubscription,
    handle: async ({ link }, reader) => subscriptionOf(reader, await guestOf(reader, link!.record_id)),
  }),
  write({
    ...ofMail,
    id: 'mail.subscription.unsubscribe',
    method: 'post',
    summary: 'Unsubscribe',
    description:
      'From all mail, or from that of some lists. Again it changes nothing. The token of a test mail changes nothing either.',
    body: MailUnsubscription,
    reply: MailSubscription,
    raises: ['validation_failed'],
    async handle({ link, body }, work) {
      const { record_id } = link!;
      if ((body.all === undefined) === (body.list_ids === undefined)) throw oneOfBoth();
      if (body.list_ids) await leaveLists(work, record_id, body.list_ids);
      else await unsubscribeAll(work, record_id, 'page');
      await work.flush();
      return subscriptionOf(work, await guestOf(work, record_id));
    },
  }),
];

function oneOfBoth() {
  return invalid('/all', 'required', {
    en: 'must be sent, or list_ids in its place',
    ja: 'か list_ids のどちらか一方を指定してください',
  });
}
