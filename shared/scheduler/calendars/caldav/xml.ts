import sax from 'sax';

/** An element: its namespace and name, with a space between them, what stands in it, and its own text. */
export type Element = {
  name: string;
  /** By their names without a namespace. */
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: Element[];
};

const MOST_DEPTH = 32;
const MOST_ELEMENTS = 200_000;
const MOST_ATTRIBUTES = 100;

/**
 * Characters that the parser is given at a time. It compares each attribute with all before it in its element, so those are
 * counted while the element is still open.
 */
const PIECE = 16_384;

/**
 * Reads XML with namespaces. A document type is refused, so that no entity beyond the five of XML is known and none is
 * loaded. Throws for what is not well-formed, is deeper than 32 elements, or has more than 200,000, or one with more than
 * 100 attributes.
 */
export function readXml(text: string): Element {
  const parser = sax.parser(true, { xmlns: true }) as sax.SAXParser & { attribList: readonly unknown[] };
  const root: Element = { name: '', attributes: {}, text: '', children: [] };
  const open: Element[] = [root];
  let count = 0;
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw new Error('A document type is not taken');
  };
  parser.onopentag = (tag) => {
    const { uri, local, attributes: found } = tag as sax.QualifiedTag;
    const attributes = Object.fromEntries(Object.values(found).map((each) => [each.local, each.value]));
    const element: Element = { name: `${uri} ${local}`, attributes, text: '', children: [] };
    count += 1;
    if (open.length > MOST_DEPTH || count > MOST_ELEMENTS) throw tooLarge();
    if (Object.keys(found).length > MOST_ATTRIBUTES) throw tooLarge();
    open.at(-1)!.children.push(element);
    open.push(element);
  };
  parser.onclosetag = () => {
    open.pop();
  };
  parser.ontext = (part) => {
    open.at(-1)!.text += part;
  };
  parser.oncdata = parser.ontext;
  for (let at = 0; at < text.length; at += PIECE) {
    parser.write(text.slice(at, at + PIECE));
    if (parser.attribList.length > MOST_ATTRIBUTES) throw tooLarge();
  }
  parser.close();
  const [element] = root.children;
  if (!element) throw new Error('The document has no element');
  return element;
}

function tooLarge(): Error {
  return new Error('The document is too large');
}

/** The first child of a name. */
export function childOf(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((child) => child.name === name);
}

/** A text for XML: in an element, or in an attribute between double quotes. */
export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
