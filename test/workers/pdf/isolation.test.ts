import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Logger } from 'pino';
import type { Print } from '../../../shared/invoicing/print/model.ts';
import { printOf } from '../../../shared/invoicing/print/print-of.ts';
import { layOut } from '../../../workers/pdf/paper/lay-out.ts';
import { renderPdf } from '../../../workers/pdf/render-pdf.ts';
import { documentOf, extras, settings } from '../../support/prints/story.ts';
import { readPdf, testRenderer, unhurried } from '../../support/rendering.ts';
import { until } from '../../support/until.ts';

/** Whatever connects to this machine is heard here, whether it asks for something or not. */
let connections = 0;
const server = createServer((_, reply) => reply.end()).on('connection', () => {
  connections += 1;
});
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());
const address = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

const renderer = testRenderer();
const refused: string[] = [];
renderer.prepare({
  info: () => undefined,
  warn: () => undefined,
  error: ({ url }: { url: string }) => refused.push(url),
} as unknown as Logger);

describe('a page of anybody', () => {
  const everything = (at: string) => `
    <script>document.title = 'ran'; fetch('http://${at}/fetch')</script>
    <img src="http://${at}/image" onerror="document.title = 'ran'"><iframe src="http://${at}/frame"></iframe>
    <iframe src="file:///etc/passwd"></iframe><iframe srcdoc="<script>parent.document.title = 'ran'</script>"></iframe>
    <object data="http://${at}/object"></object><embed src="http://${at}/embed"><video src="http://${at}/video"></video>
    <link rel="stylesheet" href="http://${at}/style"><link rel="preconnect" href="http://${at}">
    <link rel="dns-prefetch" href="http://names.example"><link rel="prefetch" href="http://${at}/prefetch">
    <style>@import url(http://${at}/import); @font-face { font-family: f; src: url(http://${at}/font) }
      p { background: url(http://${at}/background); font-family: f }</style>
    <meta http-equiv="refresh" content="0;url=http://${at}/refresh">
    <svg><image href="http://${at}/svg"/><use href="http://${at}/use#a"/></svg><p>what is left`;

  test('reaches nothing and runs nothing', async () => {
    const title = await renderer.render(async (page) => {
      await page.setContent(everything(address()));
      await page.pdf({ waitForFonts: false });
      for (const what of ['image', 'frame', 'style', 'import', 'background', 'refresh', 'font']) {
        await until(`${what} is asked for`, () =>
          refused.some((url) => new URL(url).pathname === `/${what}`),
        );
      }
      return page.title();
    }, unhurried);
    assert.equal(title, '');
    assert.equal(connections, 0);
  });

  test('reaches nothing where it is not even refused: there is no way out', async () => {
    await renderer.render(async (page) => {
      await page.setRequestInterception(false);
      await page.setContent(everything(address()), { waitUntil: 'load' }).catch(() => undefined);
      await page.pdf({ waitForFonts: false }).catch(() => undefined);
      await page.setRequestInterception(true);
    }, unhurried);
    assert.equal(connections, 0);
  });
});

describe('a document with hostile text in every field', () => {
  const hostile = () => [
    '<script>document.title="ran"</script>',
    `<img src="http://${address()}/i" onerror=alert(1)>`,
    `</style><style>body{background:url(http://${address()}/b)}</style>`,
    `<a href="javascript:alert(1)">x</a>`,
    '{{constructor.constructor("return process")()}}',
    '#{7*7} <%= 7*7 %> {{7*7}} $' + '{7*7}',
    '&lt;b&gt; &amp;amp; &#60;',
    '"\'`><b>bold</b>',
    `url(http://${address()}/u)`,
    ']]><!-- -->',
  ];

  test('shows it as it is, asks for nothing and runs nothing', async () => {
    const before = refused.length;
    // On one page and on several.
    const plain = await Promise.all(['平文', '平文'.repeat(400)].map((text) => shown(filled(text))));
    const known = new Set(plain.flatMap(({ elements }) => elements));
    for (const text of hostile()) {
      const print = filled(text);
      const { elements, title } = await shown(print);
      const strange = elements.filter((element) => !known.has(element));
      assert.deepEqual({ strange, title }, { strange: [], title: print.running_head });
      const pdf = await renderPdf(renderer, { print, images: new Map() }, unhurried);
      const said = readPdf(pdf).text().replaceAll(/\s/g, '');
      const times = said.split(text.replaceAll(/\s/g, '')).length - 1;
      assert.ok(times >= fields, `${text} stands ${times} times in ${said}`);
    }
    assert.equal(refused.length, before);
    assert.equal(connections, 0);
  });

  test('shows what stands beside signs that turn text around, end lines or cannot be seen', async () => {
    const signs = [
      '\u202E',
      '\u2066',
      '\u200F',
      '\u0000',
      '\u0007',
      '\u001B[31m',
      '\u2028',
      '\u00AD',
      '\uFEFF',
      '\uD800',
    ];
    for (const sign of signs) {
      const print = filled(`前${sign}後`);
      const pdf = readPdf(await renderPdf(renderer, { print, images: new Map() }, unhurried));
      pdf.check();
      assert.match(pdf.text(), /前/, JSON.stringify(sign));
      assert.match(pdf.text(), /後/, JSON.stringify(sign));
    }
  });
});

/** The kinds of element on a page, with their attributes: text that stays text brings no other. */
async function shown(print: Print): Promise<{ elements: string[]; title: string }> {
  return renderer.render(async (page) => {
    await layOut(page, print, new Map());
    const seen = await page.evaluate(`({
      elements: Array.from(document.querySelectorAll('*'), (element) =>
        [element.localName, ...element.getAttributeNames()].join(' ')),
      title: document.title,
    })`);
    const { elements, title } = seen as { elements: string[]; title: string };
    return { elements: [...new Set(elements)].sort(), title };
  }, unhurried);
}

/** Fields of a document whose text is shown once at least. */
const fields = 10;

/** An invoice with the text wherever a person may write one. */
function filled(text: string): Print {
  const document = documentOf('invoice', {
    number: text,
    subject: text,
    issuer_name: text,
    issuer_detail: text,
    memo: text,
    honorific: '',
    lines: [{ description: text, price: '100', unit: text, code: text }, { description: text }],
  });
  const company = { ...extras.company, name: text, city: text, address_line: text, building: text };
  const bank_account = { ...document.bank_account!, bank: text, branch: text, holder: text };
  const person = { name: text, position: text };
  return printOf({ ...document, bank_account }, settings, { ...extras, company, person });
}
