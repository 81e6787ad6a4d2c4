import DKIM from 'nodemailer/lib/dkim';

/** What signs mails: the private key in PEM. */
export type DkimSigner = { domain: string; selector: string; private_key: string };

/** The fields that nobody may change or add on the way (RFC 6376 section 5.4.1; RFC 8058 section 4 for those of lists). */
const SIGNED = [
  'From',
  'Reply-To',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'MIME-Version',
  'Content-Type',
  'List-Id',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':');

/** Signs messages with one key (RFC 6376, rsa-sha256, relaxed/relaxed): the message with its signature before it. */
export function signingWith({
  domain,
  selector,
  private_key,
}: DkimSigner): (message: Buffer) => Promise<Buffer> {
  const dkim = new DKIM({
    domainName: domain,
    keySelector: selector,
    privateKey: private_key,
    headerFieldNames: SIGNED,
  });
  return async (message) => Buffer.concat(await dkim.sign(message).toArray());
}
