/** Characters in which weak signs of a page count: as many as browsers read of a file (MIME Sniffing, 5.2). */
const WINDOW = 1_445;

/** What stands before the first element: comments as HTML ends them, declarations, instructions. */
const PROLOGUE = /^(?:[\s\]>]+|<!--(?:-?>|[\s\S]*?--!?>)|<[?!](?!--)[^>]*>)+/;

/** Elements that make a page or a drawing wherever they stand, by any prefix, and the namespaces of both. */
const PAGE =
  /<!doctype html[\s>]|<(?:[^\s<>/:"'=]+:)?(?:html|script)[\s>/]|http:\/\/www\.w3\.org\/1999\/xhtml/i;
const DRAWING = /<(?:[^\s<>/:"'=]+:)?svg[\s>/]|http:\/\/www\.w3\.org\/2000\/svg/i;

/** Elements that other markup may have too, so they count near the beginning alone. */
const PART_OF_PAGE = /<(?:head|body|iframe|title|table|div|h1|style|a|p|br)[\s>/]/i;

/**
 * Which markup a file is, by its beginning; null for what does not begin with a tag. This is stricter than a browser,
 * which looks for a page at the very beginning only: a comment, a prologue, a prefix or UTF-16 hides nothing here.
 */
export function markupOf(head: Buffer): 'html' | 'svg' | 'xml' | null {
  if (!beginsWithTag(head)) return null;
  const text = decoded(head).trimStart();
  if (!text.startsWith('<')) return null;
  const content = text.replace(PROLOGUE, '');
  // A comment without an end may have its end behind the bytes that are looked at.
  if (content.startsWith('<!--')) return 'html';
  const drawing = text.search(DRAWING);
  const page = text.search(PAGE);
  // A drawing may hold a script or a page; a page may hold a drawing.
  if (page >= 0 && (drawing < 0 || page < drawing)) return 'html';
  if (drawing >= 0) return 'svg';
  if (PART_OF_PAGE.test(text.slice(0, WINDOW)) || PART_OF_PAGE.test(content.slice(0, WINDOW))) return 'html';
  return /^<(?:[?!]|[\p{L}_])/u.test(text) ? 'xml' : null;
}

/** By the first bytes that are no white space: to decode all of a file that is no markup would take longer than to store it. */
function beginsWithTag(head: Buffer): boolean {
  const begin = decoded(head.subarray(0, WINDOW), { stream: true }).trimStart();
  return begin === '' || begin.startsWith('<');
}

/** The text by its byte order mark (Encoding Standard, 6.1); UTF-8 where it has none. */
function decoded(head: Buffer, options: { stream?: boolean } = {}): string {
  const mark = head.toString('hex', 0, 2);
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(head, options);
}
