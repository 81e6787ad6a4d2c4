/** Bytes that a name may have: file systems take 255, and some add to a name what they need. */
const MOST_BYTES = 200;

/** What some system takes for a separator, a wildcard or a device, what breaks a line, and what turns its direction. */
const UNSAFE = /[\p{Cc}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff\\/:*?"<>|]+/gu;

/** Names, up to their first dot, that Windows keeps for its devices. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/** A name, without its extension, that every system saves a file under: in one folder, and not hidden. */
export function fileStem(name: string): string {
  return cut(name.replace(UNSAFE, '_').replace(/\s+/g, ' ').replace(/^\.+/, ''))
    .replace(/[. ]+$/, '')
    .replace(DEVICE, '_$&');
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
