import { type PDF, PdfArray, PdfNumber } from '../../../platform/pdf/libpdf.ts';
import type { SealPlace, StandInKey } from '../types.ts';

/** Bytes of a signature that stands in its place until the right one is known. */
const STAND_IN = new Uint8Array(64);

/**
 * Signs with a signature that stands in for the right one: this process is given no key. Answers the file, and where in it the
 * signature is. The bytes around it are final.
 */
export async function placeSeal(
  pdf: PDF,
  { field, key, signing_time, room }: { field: string; key: StandInKey; signing_time: string; room: number },
): Promise<{ bytes: Uint8Array; place: SealPlace }> {
  const { bytes } = await pdf.sign({
    signer: {
      certificate: bytesOf(key.certificate),
      certificateChain: key.chain.map(bytesOf),
      keyType: key.key_type,
      signatureAlgorithm: key.key_type === 'RSA' ? 'RSASSA-PKCS1-v1_5' : 'ECDSA',
      sign: async () => STAND_IN,
    },
    fieldName: field,
    level: 'B-B',
    signingTime: new Date(signing_time),
    estimatedSize: room,
  });
  return { bytes, place: placeOf(pdf, field) };
}

/** Where the signature of a field stands in a file that was saved. */
export function placeOf(pdf: PDF, field: string): SealPlace {
  const found = pdf
    .getForm()
    ?.getSignatureFields()
    .find(({ name }) => name === field);
  const range = found?.getSignatureDict()?.get('ByteRange');
  if (!(range instanceof PdfArray)) throw new Error('The file has no signature of that name');
  const numbers = [...range].map((item) => (item instanceof PdfNumber ? item.value : Number.NaN));
  return numbers as SealPlace;
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
