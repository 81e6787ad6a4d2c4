import { type FieldError, invalidAll } from '../../kernel/failure.ts';

/** What a text may name beside the attributes of a contact. */
export const placeholderNames = [
  'email',
  'first_name',
  'last_name',
  'full_name',
  'sender_name',
  'sender_address',
  'sender_contact',
  'unsubscribe_url',
  'view_url',
  'sent_date',
] as const;

export type PlaceholderName = (typeof placeholderNames)[number];

const ATTRIBUTE = 'attributes.';

/** A value by its name; that of an attribute of the contact by its key. */
export type ValueName = PlaceholderName | `attributes.${string}`;

/** A place of a text that is filled in. `fallback`: what stands there without a value; null: there is none. */
export type Placeholder = { name: ValueName; fallback: string | null };

/** A text as what is written in it and what is filled in. */
export type Pieces = readonly (string | Placeholder)[];

/** A fault of a text: at which character it begins, counted from 0 in UTF-16, and what stands there. */
export type PlaceholderFault = { position: number; kind: 'unknown' | 'unclosed' | 'in_host'; source: string };

/** Of a fault so much is shown. */
const SHOWN = 60;

/** The values of one mail; null and an empty text are no value. */
export type Values = Readonly<Record<PlaceholderName, string | null>> & {
  readonly attributes: Readonly<Record<string, string>>;
};

/**
 * Takes a text apart at its placeholders, `{{name}}` and `{{name|fallback}}`. A name is one of the list, or `attributes.`
 * and everything up to `|` or `}}`; spaces around it do not count. What is wrong stays text, and is told with its position.
 */
export function parsePlaceholders(text: string): { pieces: Pieces; faults: readonly PlaceholderFault[] } {
  const pieces: (string | Placeholder)[] = [];
  const faults: PlaceholderFault[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf('{{', from);
    if (open === -1) break;
    const close = text.indexOf('}}', open + 2);
    if (close === -1) {
      faults.push({ position: open, kind: 'unclosed', source: shown(text.slice(open)) });
      break;
    }
    const placeholder = placeholderOf(text.slice(open + 2, close));
    if (placeholder) {
      if (open > from) pieces.push(text.slice(from, open));
      pieces.push(placeholder);
    } else {
      faults.push({ position: open, kind: 'unknown', source: shown(text.slice(open, close + 2)) });
      pieces.push(text.slice(from, close + 2));
    }
    from = close + 2;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return { pieces, faults };
}

function shown(source: string): string {
  return source.slice(0, SHOWN).toWellFormed();
}

function placeholderOf(inner: string): Placeholder | null {
  const bar = inner.indexOf('|');
  const name = (bar === -1 ? inner : inner.slice(0, bar)).trim();
  const fallback = bar === -1 ? null : inner.slice(bar + 1);
  // One within a fallback is not filled in: it would be mailed as it is written.
  return isValueName(name) && !fallback?.includes('{{') ? { name, fallback } : null;
}

function isValueName(name: string): name is ValueName {
  return (
    (placeholderNames as readonly string[]).includes(name) ||
    (name.startsWith(ATTRIBUTE) && name.length > ATTRIBUTE.length)
  );
}

/**
 * Refuses texts with unknown or unclosed placeholders: 422 `unknown_placeholder` at the field, with the position of each.
 */
export function requirePlaceholders(texts: Readonly<Record<string, string | null | undefined>>): void {
  const errors = Object.entries(texts).flatMap(([field, text]) =>
    parsePlaceholders(text ?? '').faults.map((fault) => errorOf(`/${field}`, fault)),
  );
  if (errors.length > 0) throw invalidAll(errors);
}

const NAMES = [...placeholderNames, `${ATTRIBUTE}KEY`].join(', ');

/** What is said of something between braces that is not a placeholder. */
export const unknownPlaceholder = (source: string, at: string) => ({
  en: `${source} at character ${at} is not a placeholder; these are: ${NAMES}`,
  ja: `${at}文字目の ${source} は差し込み項目ではありません。使えるもの: ${NAMES}`,
});

/** What is said of braces that are not closed. */
export const unclosedPlaceholder = (source: string, at: string) => ({
  en: `${source} at character ${at} is not closed by }}`,
  ja: `${at}文字目の ${source} が }} で閉じられていません`,
});

/** What is said of a value that may lead a link elsewhere. */
export const placeholderInHost = (source: string, at: string) => ({
  en: `${source} at character ${at} may lead the link to another host; write the domain out, and values behind its /`,
  ja: `${at}文字目の ${source} はリンク先のドメインを変えてしまうおそれがあります。ドメインは直接書き、差し込み項目は / より後に置いてください`,
});

const MESSAGES = {
  unknown: unknownPlaceholder,
  unclosed: unclosedPlaceholder,
  in_host: placeholderInHost,
};

/** What a fault is told as. Characters are counted from 1. */
export function errorOf(path: string, { position, kind, source }: PlaceholderFault): FieldError {
  const code = kind === 'in_host' ? 'placeholder_in_host' : 'unknown_placeholder';
  const message = MESSAGES[kind](source.slice(0, SHOWN).toWellFormed(), String(position + 1));
  return { in: 'body', path, code, message };
}

/** The names that texts hold, each once, in the order in which they first stand there. */
export function namesIn(texts: readonly (string | null)[]): ValueName[] {
  const names = texts.flatMap((text) =>
    parsePlaceholders(text ?? '').pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name])),
  );
  return [...new Set(names)];
}

/** What stands in the place of a placeholder: the value, else its fallback; null where neither is there. */
export function valueFor({ name, fallback }: Placeholder, values: Values): string | null {
  return present(name, values) || fallback;
}

function present(name: ValueName, values: Values): string | null {
  if (!name.startsWith(ATTRIBUTE)) return values[name as PlaceholderName];
  const key = name.slice(ATTRIBUTE.length);
  return Object.hasOwn(values.attributes, key) ? values.attributes[key]! : null;
}

/** How a value is written where it stands. */
export type Writing = (value: string) => string;

/** Plain text: as it is. */
export const asText: Writing = (value) => value;

/** Between the tags of HTML, and in quoted attributes. */
export const asHtml: Writing = (value) => value.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A part of an address: no character of it means anything there (RFC 3986 section 2.3), nor in HTML around it. */
export const asAddress: Writing = (value) =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** A part of a header: on one line. */
export const asHeader: Writing = (value) => value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** A text filled in, and the names without a value: their places stay empty. A value is never read as a placeholder. */
export function filled(
  pieces: Pieces,
  values: Values,
  write: Writing,
): { text: string; missing: readonly ValueName[] } {
  const missing = new Set<ValueName>();
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    const value = valueFor(piece, values);
    if (value === null) missing.add(piece.name);
    return write(value ?? '');
  });
  return { text: texts.join(''), missing: [...missing] };
}
