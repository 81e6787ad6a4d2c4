import {
  PDF,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from '../../../platform/pdf/libpdf.ts';
import type { FoundSignature } from '../signatures.ts';

/**
 * Where the last signature of a file ends behind which there are stamps alone: each of them holds, the last one covers the whole
 * file, and what the signature covers is shown as it was. Null where there is none. `whole` is the file, loaded.
 */
export async function stampedEnd(
  file: Buffer,
  whole: PDF,
  signatures: readonly FoundSignature[],
): Promise<number | null> {
  const ordered = signatures.toSorted((left, right) => left.end - right.end);
  const last = ordered.findLastIndex(({ is_stamp }) => !is_stamp);
  const stamps = ordered.slice(last + 1);
  const end = ordered[last]?.end;
  const isCovered = stamps.at(-1)?.covers_whole_file && stamps.every(({ digest_ok }) => digest_ok);
  if (end === undefined || !isCovered) return null;
  const signed = await PDF.load(file.subarray(0, end));
  return new Revisions(signed, whole).addStampsAlone() ? end : null;
}

/** Two revisions of one file, the later one with all objects of the earlier one: equal references are compared once. */
class Revisions {
  private readonly seen = new Set<string>();
  private readonly earlier: PDF;
  private readonly later: PDF;

  constructor(earlier: PDF, later: PDF) {
    this.earlier = earlier;
    this.later = later;
  }

  /** Whether catalog, form and pages are the same, but for what validates signatures and for fields of stamps, which are not seen. */
  addStampsAlone(): boolean {
    const [was, is] = [this.earlier.getCatalog(), this.later.getCatalog()];
    return (
      this.sameButFor(was, is, ['DSS', 'Extensions', 'AcroForm']) &&
      this.formGrows(this.in(this.earlier, was.get('AcroForm')), this.in(this.later, is.get('AcroForm')))
    );
  }

  private formGrows(was: PdfObject | undefined, is: PdfObject | undefined): boolean {
    if (!(was instanceof PdfDict && is instanceof PdfDict)) return false;
    return (
      this.sameButFor(was, is, ['SigFlags', 'Fields']) && this.grows(was.get('Fields'), is.get('Fields'))
    );
  }

  private sameButFor(was: PdfDict, is: PdfDict, without: readonly string[]): boolean {
    const keys = new Set([...was.keys(), ...is.keys()].map(({ value }) => value));
    return [...keys].every((key) => without.includes(key) || this.same(was.get(key), is.get(key)));
  }

  /** Whether a list has what it had, and behind it fields of stamps at most. */
  private grows(before: PdfObject | undefined, after: PdfObject | undefined): boolean {
    const [was, is] = [itemsOf(this.in(this.earlier, before)), itemsOf(this.in(this.later, after))];
    return was.every((item, index) => this.same(item, is[index])) && is.slice(was.length).every(this.isStamp);
  }

  private readonly isStamp = (object: PdfObject): boolean => {
    const field = this.in(this.later, object);
    if (!(field instanceof PdfDict)) return false;
    const value = this.in(this.later, field.get('V'));
    const place = itemsOf(this.in(this.later, field.get('Rect')));
    return (
      value instanceof PdfDict &&
      value.getName('SubFilter')?.value === 'ETSI.RFC3161' &&
      place.every((side) => side instanceof PdfNumber && side.value === 0)
    );
  };

  private same(before: PdfObject | undefined, after: PdfObject | undefined): boolean {
    if (before instanceof PdfRef && after instanceof PdfRef) {
      const name = before.toString();
      if (name !== after.toString()) return false;
      if (this.seen.has(name)) return true;
      this.seen.add(name);
    }
    const [was, is] = [this.in(this.earlier, before), this.in(this.later, after)];
    if (was === undefined || is === undefined || was.type !== is.type) return was === is;
    if (was instanceof PdfArray) {
      const [left, right] = [itemsOf(was), itemsOf(is)];
      return left.length === right.length && left.every((item, index) => this.same(item, right[index]));
    }
    if (!(was instanceof PdfDict && is instanceof PdfDict)) return textOf(was) === textOf(is);
    if (was instanceof PdfStream && Buffer.compare(was.data, (is as PdfStream).data) !== 0) return false;
    if (was.getName('Type')?.value !== 'Page') return this.sameButFor(was, is, []);
    return this.sameButFor(was, is, ['Annots']) && this.grows(was.get('Annots'), is.get('Annots'));
  }

  private in(pdf: PDF, object: PdfObject | undefined): PdfObject | undefined {
    return object instanceof PdfRef ? (pdf.getObject(object) ?? undefined) : object;
  }
}

function itemsOf(object: PdfObject | undefined): PdfObject[] {
  return object instanceof PdfArray ? object.toArray() : [];
}

/** What a number, a name, a string or a word says. */
function textOf(object: PdfObject): string {
  if (object instanceof PdfString) return Buffer.from(object.bytes).toString('hex');
  if (object instanceof PdfName || object instanceof PdfNumber) return String(object.value);
  return JSON.stringify(object);
}
