import sanitize from 'sanitize-html';
import { invalid } from '../../kernel/failure.ts';

/** What was taken out of a body, each by its names, sorted. */
export type Removed = {
  elements: readonly string[];
  attributes: readonly string[];
  addresses: readonly string[];
};

/** So many names of each kind are told. */
const MOST_NAMES = 20;

/** Of an address so much is shown. */
const SHOWN = 60;

/**
 * Elements within each other. The parser's time grows by their square, and what makes a text of them calls itself for each: of 170,000
 * it took half a minute, in which the process answered nobody. No mail program shows nearly as many.
 */
const DEEPEST = 500;

/** What mails are made of. */
const ELEMENTS = words(`
  a abbr address article b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn
  div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark
  nav ol p pre q rp rt ruby s samp section small span strike strong sub sup table tbody td tfoot th
  thead time tr tt u ul var wbr
`);

/** They go without a word: the mail has its own, and what stands in them stays. */
const FRAME = new Set(['html', 'head', 'body', 'meta']);

/** They go with all that is in them, for it is not text. */
const NOT_TEXT = words(`
  script style textarea option select xmp noscript title iframe object embed svg math template noembed
  noframes plaintext audio video canvas
`);

const ATTRIBUTES: Readonly<Record<string, string[]>> = {
  '*': [
    'style',
    'align',
    'valign',
    'width',
    'height',
    'bgcolor',
    'title',
    'lang',
    'dir',
    'role',
    'aria-label',
    'aria-hidden',
  ],
  a: ['href', 'name', 'target'],
  img: ['src', 'alt', 'border'],
  table: ['border', 'cellpadding', 'cellspacing', 'summary'],
  td: ['colspan', 'rowspan', 'nowrap'],
  th: ['colspan', 'rowspan', 'nowrap', 'scope'],
  col: ['span'],
  colgroup: ['span'],
  ol: ['start', 'type', 'reversed'],
  ul: ['type'],
  li: ['value'],
  font: ['color', 'face', 'size'],
  time: ['datetime'],
};

/** A value without a call of a function (`url(`, `expression(`, `var(`), an escape, or an end of the declaration. */
const PLAIN_VALUE = /^[^(){}<>\\@;]{1,200}$/;
const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]{1,30}|(?:rgb|hsl)a?\([0-9.,%/ ]{1,60}\))$/i;

const STYLES = words(`
  border border-bottom border-collapse border-left border-radius border-right border-spacing
  border-style border-top border-width box-sizing clear direction display float font font-family
  font-size font-style font-weight height letter-spacing line-height list-style list-style-type margin
  margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width
  mso-line-height-rule mso-table-lspace mso-table-rspace opacity overflow padding padding-bottom
  padding-left padding-right padding-top table-layout text-align text-decoration text-indent
  text-transform vertical-align visibility white-space width word-break word-wrap overflow-wrap
`);
const COLOURS = ['color', 'background', 'background-color', 'border-color'];

const ALLOWED_STYLES = {
  '*': Object.fromEntries([
    ...STYLES.map((name): [string, RegExp[]] => [name, [PLAIN_VALUE]]),
    ...COLOURS.map((name): [string, RegExp[]] => [name, [COLOUR]]),
  ]),
};

/** Where links lead, and pictures come from. Where the scheme stands, no placeholder but our own addresses may. */
const LINK = /^(?:https?:\/\/|mailto:|tel:|#|\{\{\s*(?:unsubscribe_url|view_url)\s*(?:\|[^}]*)?\}\})/i;
const PICTURE = /^https?:\/\//i;

/**
 * A body as mails may hold it: no scripts, no event attributes, forms or frames, a bounded list of styles, links by http,
 * https, mailto and tel, pictures by http and https. Cleaned again it stays as it is. Placeholders stay where text may be. Errors:
 * `validation_failed` with `too_deep` at /body_html.
 */
export function cleanedHtml(html: string): { html: string; removed: Removed } {
  const found = { elements: new Set<string>(), attributes: new Set<string>(), addresses: new Set<string>() };
  let depth = 0;
  const cleaned = sanitize(html, {
    allowedTags: ELEMENTS,
    allowedAttributes: ATTRIBUTES,
    allowedStyles: ALLOWED_STYLES,
    nonTextTags: NOT_TEXT,
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    transformTags: {
      body: 'div',
      '*': (tagName, attributes) => ({ tagName, attribs: kept(tagName, attributes, found) }),
    },
    onCloseTag: () => {
      depth -= 1;
    },
    onOpenTag: (name) => {
      depth += 1;
      if (depth > DEEPEST) throw tooDeep();
      if (!IS_ELEMENT.has(name) && !FRAME.has(name)) found.elements.add(name);
    },
  });
  return {
    html: cleaned.trim() === '' ? '' : cleaned,
    removed: {
      elements: told(found.elements),
      attributes: told(found.attributes),
      addresses: told(found.addresses),
    },
  };
}

const IS_ELEMENT = new Set(ELEMENTS);

function tooDeep() {
  return invalid('/body_html', 'too_deep', {
    en: `body_html may have ${DEEPEST} elements within each other`,
    ja: `body_html の要素の入れ子は${DEEPEST}段までです`,
  });
}

/** The attributes of an element that stay, its styles as the library filters them. */
function kept(
  element: string,
  attributes: Readonly<Record<string, string>>,
  found: { attributes: Set<string>; addresses: Set<string> },
): Record<string, string> {
  if (!IS_ELEMENT.has(element)) return {};
  const allowed = [...ATTRIBUTES['*']!, ...(ATTRIBUTES[element] ?? [])];
  const stay = Object.entries(attributes).filter(([name, value]) => {
    if (!allowed.includes(name)) {
      found.attributes.add(name);
      return false;
    }
    const form = name === 'href' ? LINK : name === 'src' ? PICTURE : null;
    if (!form || form.test(value)) return true;
    found.addresses.add(value);
    return false;
  });
  return Object.fromEntries(stay);
}

function told(names: ReadonlySet<string>): string[] {
  return [...names]
    .map((name) => name.slice(0, SHOWN).toWellFormed())
    .sort()
    .slice(0, MOST_NAMES);
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
