import type { Print } from '../print/model.ts';

/** Bytes that a name may have: file systems take 255, and some add to a name what they need. */
const MOST_BYTES = 200;

/** What some system takes for a separator, a wildcard or a device, what breaks a line, and what turns its direction. */
const UNSAFE = /[\p{Cc}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff\\/:*?"<>|]+/gu;

/**
 * The name under which a document is saved: `請求書_INV-2026-0001_株式会社山田商店.pdf`. The `/` of a number such as
 * `2026/0001` becomes `-`.
 */
export function pdfFileName({
  title,
  number,
  recipient,
}: Pick<Print, 'title' | 'number' | 'recipient'>): string {
  const parts = [title, number?.replaceAll('/', '-') ?? null, recipient.name].filter(
    (part) => part !== null && part !== '',
  );
  const name = parts.join('_').replace(UNSAFE, '_').replace(/\s+/g, ' ');
  return `${cut(name).replace(/[. ]+$/, '')}.pdf`;
}

/** As many whole letters as fit. Those beyond are not looked for: to find each takes longer than all else. */
function cut(name: string): string {
  const letters = new Intl.Segmenter('ja', { granularity: 'grapheme' }).segment(name.toWellFormed());
  let bytes = 0;
  let kept = '';
  for (const { segment } of letters) {
    bytes += Buffer.byteLength(segment);
    if (bytes > MOST_BYTES) break;
    kept += segment;
  }
  return kept;
}
