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
 * Finds signatures and trail, and checks them: what a stranger wrote is computed in this process alone. Signatures are found by the
 * form, and by what names them in the bytes: the structure may be damaged, or leave one out.
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
    return { places: withNamed(places, content), trail: pdf && trailOf(pdf) };
  } catch {
    return { places: placesNamedIn(content), trail: null };
  }
}

/** The places of the form, and those that it does not name: a later revision may have another form, so that a seal is not seen. */
function withNamed(places: readonly number[][], content: Buffer): number[][] {
  const known = new Set(places.map(String));
  return [...places, ...placesNamedIn(content).filter((place) => !known.has(String(place)))];
}

function trailOf(pdf: PDF): string | null {
  const name = [...pdf.getAttachments().keys()].find((each) => TRAIL.test(each));
  const bytes = name === undefined ? null : pdf.getAttachment(name);
  return bytes && bytes.length <= MOST_TRAIL ? Buffer.from(bytes).toString('utf8') : null;
}
