import { createHash } from 'node:crypto';
import { PDF } from '../../../platform/pdf/libpdf.ts';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { Made } from '../../../platform/readers/made.ts';
import type { Archiving, Composed } from '../types.ts';
import { placeOf } from './place.ts';

/** A token that stands in for the right one. */
const STAND_IN = new Uint8Array(64);

/**
 * Adds to a sealed file what its signatures and stamps are validated by (PAdES B-LT), and a place for a stamp over all of it
 * (B-LTA). Nothing comes after the stamp: what validates it is added before the next one.
 */
export async function read(
  { field, revocations, room }: Archiving,
  content: Buffer,
): Promise<Made<Composed>> {
  const pdf = await PDF.load(content);
  if (pdf.canSaveIncrementally()) throw new UnreadableFile('signed_pdf_not_appendable');
  await pdf.addValidationData({
    revocationProvider: {
      getOCSP: async () => null,
      getCRL: async (certificate) => {
        const list = revocations[createHash('sha256').update(certificate).digest('hex')];
        return list === undefined ? null : new Uint8Array(Buffer.from(list, 'base64'));
      },
    },
  });
  const { bytes } = await pdf.addTimestamp({
    timestampAuthority: { timestamp: async () => STAND_IN },
    fieldName: field,
    estimatedSize: room,
  });
  return new Made({ place: placeOf(pdf, field), page_count: pdf.getPageCount() }, bytes);
}
