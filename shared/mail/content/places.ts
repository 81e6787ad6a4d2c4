import { hostFaults } from './hosts.ts';
import {
  asAddress,
  asHtml,
  asText,
  type Placeholder,
  type PlaceholderFault,
  parsePlaceholders,
  type ValueName,
  type Writing,
} from './placeholders.ts';

/** A place of a body: what stands there, and how it is written. */
export type Place = Placeholder & { write: Writing };

/** A link of a body that can be counted. `index`: its number in the campaign, from 1; `plain`: its address as it is. */
export type LinkPlace = { index: number; plain: readonly (string | Place)[] };

/** A body as what is written in it, what is filled in, and where its links are. */
export type Body = readonly (string | Place | LinkPlace)[];

/** A link as it is stored: its address, with its placeholders. */
export type CountedLink = { index: number; url: string };

const TAG = /<[^>]*>/g;
const ATTRIBUTE = /([a-z-]+)="([^"]*)"/g;

/** What stands before a place: whether anything does, and whether an address of a page has begun and not ended. */
type Before = { is_empty: boolean; is_address: boolean };

/** How a value is written by what stands before it and by its name. */
type WritingAt = (before: Before, name: ValueName) => Writing;

const inHtml: WritingAt = () => asHtml;

/** The addresses of the service itself are whole, where nothing stands before them. */
const inAddress: WritingAt = ({ is_empty }, name) =>
  is_empty && (name === 'unsubscribe_url' || name === 'view_url') ? asHtml : asAddress;

const inText: WritingAt = ({ is_address }) => (is_address ? asAddress : asText);

/** An address in a text ends at the first character that it cannot have. */
const NOT_OF_ADDRESS = /[^!#-;=?-~]+/;

/**
 * Takes a body apart whose HTML was cleaned: outside of tags there is no `<`, and in an attribute no `"` but as entities.
 * A placeholder that a tag or a quotation mark interrupts is unclosed. Links to pages are numbered by their addresses.
 */
export function htmlBody(html: string): {
  body: Body;
  links: readonly CountedLink[];
  faults: readonly PlaceholderFault[];
} {
  const body: (string | Place | LinkPlace)[] = [];
  const faults: PlaceholderFault[] = [];
  const numbers = new Map<string, number>();
  let from = 0;
  for (const { 0: tag, index: at } of html.matchAll(TAG)) {
    body.push(...placesIn(html.slice(from, at), from, inHtml, faults));
    let inTag = 0;
    for (const { 0: attribute, 1: name, 2: value, index } of tag.matchAll(ATTRIBUTE)) {
      if (name === undefined || value === undefined) continue;
      const begin = index + attribute.length - value.length - 1;
      const places = placesIn(value, at + begin, isAddress(name) ? inAddress : inHtml, faults);
      if (isAddress(name))
        faults.push(...hostFaults(value, { in_text: false }).map((fault) => movedBy(at + begin, fault)));
      body.push(tag.slice(inTag, begin), ...(isLink(tag, name, value) ? [linkOf(value, places)] : places));
      inTag = begin + value.length;
    }
    body.push(tag.slice(inTag));
    from = at + tag.length;
  }
  body.push(...placesIn(html.slice(from), from, inHtml, faults));
  return { body: joinedTexts(body), links: [...numbers].map(([url, index]) => ({ index, url })), faults };

  function linkOf(value: string, plain: readonly (string | Place)[]): LinkPlace {
    const url = withoutEntities(value);
    const index = numbers.get(url) ?? numbers.size + 1;
    numbers.set(url, index);
    return { index, plain };
  }
}

/** Takes a plain text apart. A value within an address is written as a part of it. */
export function textBody(text: string): {
  body: readonly (string | Place)[];
  faults: readonly PlaceholderFault[];
} {
  const faults: PlaceholderFault[] = [];
  return { body: placesIn(text, 0, inText, faults), faults };
}

/** The address of a link as it was stored, taken apart; one that its values make another page's is none of ours. */
export function addressPlaces(url: string): readonly (string | Place)[] {
  return placesIn(url, 0, () => asAddress, []);
}

/** Whether an attribute of cleaned HTML holds an address. */
function isAddress(name: string): boolean {
  return name === 'href' || name === 'src' || name === 'background';
}

function isLink(tag: string, name: string, value: string): boolean {
  return name === 'href' && tag.startsWith('<a ') && /^https?:/i.test(value);
}

function placesIn(
  source: string,
  at: number,
  writing: WritingAt,
  faults: PlaceholderFault[],
): (string | Place)[] {
  const parsed = parsePlaceholders(source);
  faults.push(...parsed.faults.map((fault) => movedBy(at, fault)));
  const plain = writing === inText ? (part: string) => part : withoutEntities;
  let before: Before = { is_empty: true, is_address: false };
  return parsed.pieces.map((piece) => {
    if (typeof piece === 'string') {
      before = after(before, piece);
      return piece;
    }
    const place: Place = {
      name: plain(piece.name) as ValueName,
      fallback: piece.fallback === null ? null : plain(piece.fallback),
      write: writing(before, piece.name),
    };
    before = { ...before, is_empty: false };
    return place;
  });
}

function movedBy(at: number, fault: PlaceholderFault): PlaceholderFault {
  return { ...fault, position: at + fault.position };
}

function after({ is_address }: Before, text: string): Before {
  const words = text.split(NOT_OF_ADDRESS);
  const goes_on = is_address && words.length === 1;
  return { is_empty: false, is_address: goes_on || /https?:\/\//i.test(words.at(-1)!) };
}

/** The entities of cleaned HTML, and of what is escaped here. */
function withoutEntities(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function joinedTexts(body: Body): Body {
  const joined: (string | Place | LinkPlace)[] = [];
  for (const piece of body) {
    const last = joined.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}
