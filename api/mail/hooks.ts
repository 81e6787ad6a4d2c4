import { z } from 'zod';
import { Failure } from '../../shared/kernel/failure.ts';
import { inboundOfJson } from '../../shared/mail/bounces/hook-body.ts';
import { hookLinks } from '../../shared/mail/bounces/hook-links.ts';
import { type Inbound, keepInbound } from '../../shared/mail/bounces/keep.ts';
import { MOST_MAIL_BYTES, readMail } from '../../shared/mail/bounces/reading/reader.ts';
import { shownBytes } from '../http/body.ts';
import { Answer } from '../http/declaration.ts';
import { type ArrivingBody, transfer } from '../http/files/declarations.ts';
import { parseJson } from '../http/json.ts';

/** Members and elements of a thousand events of a mail service, which have some thirty each. */
const MOST_VALUES = 100_000;

const Taken = z
  .strictObject({
    accepted: z
      .int()
      .min(0)
      .describe('How many are applied now.')
      .meta({ examples: [1] }),
    ignored: z
      .int()
      .min(0)
      .describe('How many tell nothing that counts.')
      .meta({ examples: [0] }),
  })
  .meta({ id: 'MailHookTaken' });

export const hooks = [
  transfer({
    id: 'mail.hooks.receive',
    method: 'post',
    path: '/api/v1/mail/hooks/:token',
    scope: 'link',
    link: hookLinks,
    summary: 'Tell of bounces and complaints',
    description:
      'For mail servers and mail services, at the address that `POST /settings/hook-token` answers. A raw mail is a delivery report (RFC 3464), a feedback report (RFC 5965) or a mail that unsubscribes; JSON is what Amazon SES sends (by Amazon SNS, also as `text/plain`) or a list of 1 to 1,000 events of SendGrid. The same message twice counts once. What proves no mail of a campaign changes nothing.',
    params: z.strictObject({
      token: z
        .string()
        .describe('From the address of the hook.')
        .meta({ examples: ['V1StGXR8_Z5jdHi6B-myTtqCzqtM2oWuxrs1vMKzGkA'] }),
    }),
    takes: {
      media_types: ['message/rfc822', 'application/json', 'text/plain'],
      limit: MOST_MAIL_BYTES,
      description: 'A mail as it came, or what a mail service tells in JSON, of 10 MiB at most.',
    },
    status: 202,
    reply: Taken,
    raises: ['body_too_large', 'malformed_json', 'too_many_values', 'validation_failed'],
    handle: async ({ link }, steps) => {
      const messages = await inboundOf(steps.body!);
      const acting = { organization_id: link!.organization_id, may_change_nothing: true };
      return new Answer(202, await steps.write(acting, (work) => keepInbound(work, 'hook', messages)));
    },
  }),
];

/** What a body tells: a mail, or the events of a mail service. */
async function inboundOf(body: ArrivingBody): Promise<Inbound[]> {
  const content = await allOf(body);
  if (body.media_type === 'message/rfc822') {
    return [{ content, event: await readMail(content), identity: content }];
  }
  return inboundOfJson(textOf(content), (text) => parseJson(text, MOST_VALUES));
}

/** Errors: `body_too_large`. */
async function allOf({ bytes }: ArrivingBody): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > MOST_MAIL_BYTES) throw tooLarge();
    // The memory of a part is given back once the next one is asked for.
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts, size);
}

function textOf(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new Failure('malformed_json', {
      detail: { en: 'The body is not UTF-8', ja: '本文がUTF-8ではありません' },
    });
  }
}

function tooLarge(): Failure {
  const most = shownBytes(MOST_MAIL_BYTES);
  const detail = { en: `The body may have ${most}`, ja: `本文の上限は${most}です` };
  return new Failure('body_too_large', { detail, headers: { Connection: 'close' } });
}
