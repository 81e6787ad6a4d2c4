import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { timestamp } from '../../kernel/schema.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

/** One label (RFC 6376 section 3.1), in lower case. */
const selector = () =>
  z
    .string()
    .regex(
      new RegExp(`^${LABEL}$`),
      says({
        en: 'must be 1 to 63 lower-case letters, digits and hyphens',
        ja: 'には、英小文字・数字・ハイフンを1〜63文字で指定してください',
      }),
    )
    .describe('Names the key among those of the organization, and in the DNS.')
    .meta({ examples: ['s202611'] });

const fields = {
  domain: z
    .string()
    .toLowerCase()
    .max(189)
    .regex(
      new RegExp(`^(?:${LABEL}\\.)+${LABEL}$`),
      says({ en: 'must be the name of a domain', ja: 'にはドメイン名を指定してください' }),
    )
    .describe('The domain that the mails come from.')
    .meta({ examples: ['example.co.jp'] }),
  selector: selector(),
};

/** A key that mails are signed with (DKIM), as the API shows it: without its private part. */
export const DkimKey = z
  .strictObject({
    domain: z.string().meta({ examples: ['example.co.jp'] }),
    selector: z.string().meta({ examples: ['s202611'] }),
    dns_name: z
      .string()
      .describe('Where the DNS must have a TXT record.')
      .meta({ examples: ['s202611._domainkey.example.co.jp'] }),
    dns_value: z
      .string()
      .describe('What that record must say.')
      .meta({ examples: ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQ'] }),
    created_at: timestamp(),
  })
  .meta({ id: 'MailDkimKey' });

export type DkimKey = z.output<typeof DkimKey>;

/** What a new key is made from. */
export const DkimKeyInput = z.strictObject(fields).meta({ id: 'MailDkimKeyInput' });

export type DkimKeyInput = z.output<typeof DkimKeyInput>;

/** Which key a call is about. */
export const DkimKeyParams = z.strictObject({ selector: selector() });
