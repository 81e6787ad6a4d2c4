import PostalMime, { type Attachment } from 'postal-mime';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { IGNORED, type InboundEvent } from '../event.ts';
import { type Arrived, eventOfMail } from './reports.ts';

/** Bytes of a part that are looked at: a report is short, and of what came back its header counts. */
const MOST_OF_A_PART = 64 * 1024;

const DELIVERY_STATUS = ['message/delivery-status', 'message/global-delivery-status'];
const RETURNED = ['message/rfc822', 'message/global', 'text/rfc822-headers', 'message/global-headers'];

/**
 * Reads a mail of somebody else. Of one that was cut off nobody knows what else it told: it tells nothing. Refused as `not_a_mail`:
 * what the parser does not take.
 */
export async function read(_question: null, content: Buffer): Promise<InboundEvent> {
  const mail = await arrived(content);
  return isWhole(mail, content) ? eventOfMail(mail) : IGNORED;
}

/** Whether a mail of several parts has its closing delimiter (RFC 2046 5.1.1). */
function isWhole({ headers }: Arrived, content: Buffer): boolean {
  const type = headers.get('content-type')?.[0] ?? '';
  const [, quoted, plain] = /^\s*multipart\/.*?;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/is.exec(type) ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined || content.includes(`--${boundary}--`);
}

async function arrived(content: Buffer): Promise<Arrived> {
  const email = await PostalMime.parse(content, { forceRfc822Attachments: true }).catch(() => {
    throw new UnreadableFile('not_a_mail');
  });
  const headers = new Map<string, string[]>();
  for (const { key, value } of email.headers) {
    const known = headers.get(key);
    if (known) known.push(value);
    else headers.set(key, [value]);
  }
  const textOf = (types: readonly string[]) => {
    const part = email.attachments.find(({ mimeType }) => types.includes(mimeType));
    return part ? textOfPart(part) : null;
  };
  return {
    headers,
    delivery_status: textOf(DELIVERY_STATUS),
    feedback: textOf(['message/feedback-report']),
    returned: textOf(RETURNED),
  };
}

function textOfPart({ content }: Attachment): string {
  if (typeof content === 'string') return content.slice(0, MOST_OF_A_PART);
  const bytes = content instanceof Uint8Array ? content : new Uint8Array(content);
  return Buffer.from(bytes.subarray(0, MOST_OF_A_PART)).toString();
}
