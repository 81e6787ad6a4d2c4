import { compile } from 'html-to-text';

/** A cell of a table that is there for its layout stands on lines of its own, as a paragraph does. */
const convert = compile({
  wordwrap: false,
  decodeEntities: true,
  selectors: [
    {
      selector: 'a',
      options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true, linkBrackets: ['<', '>'] },
    },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'td', format: 'block' },
    { selector: 'th', format: 'block' },
  ],
});

/** The text of a body for who reads no HTML. Placeholders stay as they are; addresses stand behind their links. */
export function textOfHtml(html: string): string {
  return convert(html).trim();
}
