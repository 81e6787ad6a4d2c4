import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Print } from '../../../shared/invoicing/print/model.ts';
import { layOut, PAPER_OPTIONS } from '../../../workers/pdf/paper/lay-out.ts';
import { paperOf } from '../../../workers/pdf/paper/paper.ts';
import { pdfPages } from '../../support/pdf-pages.ts';
import { manyLines } from '../../support/prints/extremes.ts';
import { printed } from '../../support/prints/story.ts';
import { testRenderer, unhurried } from '../../support/rendering.ts';

const renderer = testRenderer();
const HOSTILE = [
  '<script>document.title = 1</script>',
  '<img src=http://example.com/x onerror=alert(1)>',
  '</style><style>body { display: none }</style>',
  '"; } body { display: none } @page { @top-left { content: "',
  "' onload='alert(1)",
  '{{constructor.constructor("return process")()}}',
  `\${process.exit(1)} !\${x} \``,
  '\\22 ; } * { color: red } \\',
  '--><!-- ]]> &lt;b&gt; &#60;',
];

/** Every text of a print replaced, except what is chosen from a list. */
function filledWith(print: Print, text: string): Print {
  const chosen = new Set(['kind', 'locale', 'window_envelope', 'type', 'sha256']);
  const filled = JSON.stringify(print, (key, value) =>
    typeof value === 'string' && !chosen.has(key) ? text : value,
  );
  return JSON.parse(filled);
}

const page = () =>
  printed(
    'invoice',
    { lines: [...manyLines(14)], memo: 'memo', subject: 'subject' },
    { extras: { is_draft: true, person: { name: '佐藤', position: '部長' } } },
  );
/** The tags with the names of their attributes; widths follow the texts. */
const tags = (html: string) =>
  (html.match(/<[a-z/!][^<>]*>/gi) ?? []).map((tag) => tag.replace(/="[^"]*"/g, ''));
const several = { table_on_new_page: false, first_row_is_cut: false, first_rows: [5] };

describe('whatever a field holds', () => {
  for (const text of HOSTILE) {
    test(`${text} adds nothing to the page`, () => {
      for (const pages of [null, several]) {
        const html = paperOf(filledWith(page(), text), new Map(), pages);
        const plain = paperOf(filledWith(page(), 'x'), new Map(), pages);
        assert.deepEqual(tags(html), tags(plain));
      }
    });
  }

  test('its head on the second page shows it as it is', async () => {
    for (const number of HOSTILE.map((text) => text.slice(0, 50))) {
      const pages = await renderer.render(async (tab) => {
        await layOut(tab, printed('invoice', { number, lines: manyLines(30) }), new Map());
        return pdfPages(await tab.pdf(PAPER_OPTIONS));
      }, unhurried);
      assert.equal(pages.length, 2);
      assert.equal(pages[1]!.lines[0], `請求書 ${number}`);
    }
  });
});

describe('images', () => {
  const sha256 = 'ab'.repeat(32);
  const image = { media_type: 'image/png' as const, bytes: new Uint8Array([1, 2, 3]) };
  const sealed = printed('invoice', {}, { settings: { seal: { sha256, width: 80, height: 80 } } });

  test('are part of the page', () => {
    const html = paperOf(sealed, new Map([[sha256, image]]));
    assert.deepEqual(
      [...html.matchAll(/src="([^"]*)"/g)].map(([, src]) => src),
      ['data:image/png;base64,AQID'],
    );
  });

  test('must be there', () => {
    assert.throws(() => paperOf(sealed, new Map()), /is not there/);
  });
});

test('the page says which language it is in', () => {
  assert.match(paperOf(page(), new Map()), /<html lang="ja">/);
  const english = printed('invoice', {}, { settings: { locale: 'en' } });
  assert.match(paperOf(english, new Map()), /<html lang="en">/);
});

test('the mark of a draft is on every page', async () => {
  const pages = await renderer.render(async (tab) => {
    await layOut(
      tab,
      printed('invoice', { lines: manyLines(40) }, { extras: { is_draft: true } }),
      new Map(),
    );
    return pdfPages(await tab.pdf(PAPER_OPTIONS));
  }, unhurried);
  assert.ok(pages.length > 1);
  for (const { texts } of pages) {
    assert.ok(texts.some(({ text, is_upright }) => !is_upright && text.includes('下書き')));
  }
});
