import { PDF, PdfArray, PdfNumber } from '../../../platform/pdf/libpdf.ts';
import { placesNamedIn } from '../../sealing/placed.ts';
import { type AttachedTrail, attachedTrail } from '../attached.ts';
import { checkSignatures, type FoundSignature } from '../signatures.ts';
import { stampedEnd } from './stamps-alone.ts';

/**
 * What a foreign PDF has of signatures, each checked, and the trail that is attached. `stamped_end`: where the one ends behind which
 * there are stamps alone.
 */
export type FoundSignatures = {
  signatures: FoundSignature[];
  stamped_end: number | null;
  trail: AttachedTrail | null;
};

/** The name of an attached trail, and characters that it may have: a thousand events have a million. */
const TRAIL = /^audit-trail-.*\.json$/;
const MOST_TRAIL = 16 * 1024 * 1024;
const MOST_SIGNATURES = 64;

/**
 * Finds signatures and trail, and checks them: what a stranger wrote is computed in this process alone. Of a file whose structure is
 * damaged the signatures are found by what names them.
 */
export async function read(_question: null, content: Buffer): Promise<FoundSignatures> {
  const pdf = await PDF.load(content).catch(() => null);
  const { places, trail } = placesIn(pdf, content);
  const signatures = checkSignatures(content, places);
  return {
    signatures,
    stamped_end: pdf && (await stampedEnd(content, pdf, signatures).catch(() => null)),
    trail: trail === null ? null : attachedTrail(trail),
  };
}

function placesIn(pdf: PDF | null, content: Buffer): { places: number[][]; trail: string | null } {
  try {
    const fields = pdf?.getForm()?.getSignatureFields() ?? [];
    const places = fields.slice(0, MOST_SIGNATURES).flatMap((field) => {
      const range = field.getSignatureDict()?.get('ByteRange');
      if (!(range instanceof PdfArray)) return [];
      return [[...range].map((item) => (item instanceof PdfNumber ? item.value : -1))];
    });
    return { places: places.length > 0 ? places : placesNamedIn(content), trail: pdf && trailOf(pdf) };
  } catch {
    return { places: placesNamedIn(content), trail: null };
  }
}

function trailOf(pdf: PDF): string | null {
  const name = [...pdf.getAttachments().keys()].find((each) => TRAIL.test(each));
  const bytes = name === undefined ? null : pdf.getAttachment(name);
  return bytes && bytes.length <= MOST_TRAIL ? Buffer.from(bytes).toString('utf8') : null;
}
