import { createHash, randomBytes } from 'node:crypto';
import { validityOf } from './certificates.ts';
import { checkCms, contentOf, readCms, TST_INFO } from './cms.ts';
import { asn1, pki } from './pkijs.ts';

const SHA_256 = '2.16.840.1.101.3.4.2.1';

/** A question to a time-stamping authority (RFC 3161), with what proves the answer to be its answer. */
export type StampQuestion = { request: Uint8Array; digest: string; nonce: string };

/** What a token says: when, of what digest, and until when the certificate of the authority is valid. */
export type Stamp = {
  stamped_at: Date;
  /** Hex SHA-256. */
  digest: string;
  nonce: string | null;
  certificate: Uint8Array;
  others: Uint8Array[];
};

/** Asks for the time of a SHA-256, in hex. */
export function stampQuestion(digest: string): StampQuestion {
  const nonce = randomBytes(8);
  // A positive number without leading zeros, whose form the authority repeats.
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const request = new pki.TimeStampReq({
    version: 1,
    messageImprint: new pki.MessageImprint({
      hashAlgorithm: new pki.AlgorithmIdentifier({ algorithmId: SHA_256, algorithmParams: new asn1.Null() }),
      hashedMessage: new asn1.OctetString({ valueHex: bufferOf(Buffer.from(digest, 'hex')) }),
    }),
    nonce: new asn1.Integer({ valueHex: bufferOf(nonce) }),
    certReq: true,
  });
  return { request: new Uint8Array(request.toSchema().toBER()), digest, nonce: nonce.toString('hex') };
}

/**
 * The token of an answer, checked against the question. Throws where the authority refuses, for another one's answer, and for the time
 * of a certificate that had ended or not begun.
 */
export function tokenOf(answer: Uint8Array, { digest, nonce }: StampQuestion): Uint8Array {
  const response = new pki.TimeStampResp({ schema: asn1.fromBER(new Uint8Array(answer)).result });
  // 0 granted, 1 granted with modifications.
  if (response.status.status > 1 || !response.timeStampToken) throw new Error('The authority refuses');
  const token = new Uint8Array(response.timeStampToken.toSchema().toBER());
  const stamp = readStamp(token);
  if (stamp.digest !== digest || stamp.nonce !== nonce) throw new Error('The stamp is of something else');
  const { from, to } = validityOf(stamp.certificate);
  if (stamp.stamped_at < from || stamp.stamped_at > to) {
    throw new Error('The certificate of the authority is not valid at the time of the stamp');
  }
  return token;
}

/** Reads a token and checks its signature. Throws for what is none, or does not hold. */
export function readStamp(token: Uint8Array): Stamp {
  const cms = readCms(token);
  const content = contentOf(cms);
  const checked = checkCms(cms);
  if (content?.type !== TST_INFO) throw new Error('The token has no time');
  const digest = createHash(checked.algorithm).update(content.bytes).digest('hex');
  if (!checked.is_intact || checked.digest !== digest) throw new Error('The token does not hold');
  const info = new pki.TSTInfo({ schema: asn1.fromBER(new Uint8Array(content.bytes)).result });
  if (info.messageImprint.hashAlgorithm.algorithmId !== SHA_256)
    throw new Error('The stamp is not of SHA-256');
  return {
    stamped_at: info.genTime,
    digest: Buffer.from(info.messageImprint.hashedMessage.valueBlock.valueHexView).toString('hex'),
    nonce: info.nonce ? Buffer.from(info.nonce.valueBlock.valueHexView).toString('hex') : null,
    certificate: checked.certificate,
    others: checked.others,
  };
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
