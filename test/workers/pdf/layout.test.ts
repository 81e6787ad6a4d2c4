import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Print } from '../../../shared/invoicing/print/model.ts';
import { layOut, PAPER_OPTIONS } from '../../../workers/pdf/paper/lay-out.ts';
import { type PdfPage, type PdfText, pdfPages } from '../../support/pdf-pages.ts';
import { extremes, manyLines } from '../../support/prints/extremes.ts';
import { printed } from '../../support/prints/story.ts';
import { testRenderer, unhurried } from '../../support/rendering.ts';

const renderer = testRenderer();
const MM = 72 / 25.4;

type Laid = { print: Print; pages: PdfPage[]; wide: string[] };

/** What stands wider or higher than the box that it is in. */
const WIDE = `Array.from(document.querySelectorAll('main *'))
  .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
  .map((e) => e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 40))`;

function laidOut(print: Print): Promise<Laid> {
  return renderer.render(async (page) => {
    await layOut(page, print, new Map());
    const wide = (await page.evaluate(WIDE)) as string[];
    return { print, wide, pages: await pdfPages(await page.pdf(PAPER_OPTIONS)) };
  }, unhurried);
}

/** The letters alone, in the order in which they are read. */
const letters = (text: string) => text.normalize('NFKC').replace(/\s+/g, '');
const isCut = (text: PdfText, { width, height }: PdfPage) =>
  text.x < 17.5 * MM ||
  text.x + text.width > width - 17.5 * MM ||
  text.y < 5 * MM ||
  text.y > height - 5 * MM;

/** Pairs of texts that stand on each other: their letters, not the room that lines have around them. */
function overlapping(texts: readonly PdfText[]): string[] {
  const boxes = texts.filter(({ is_upright }) => is_upright).toSorted((a, b) => b.y - a.y);
  return boxes.flatMap((one, place) => {
    const pairs: string[] = [];
    for (const other of boxes.slice(place + 1)) {
      if (other.y + 0.7 * other.size < one.y) break;
      const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
      if (across > 0.6) pairs.push(`${one.text} on ${other.text}`);
    }
    return pairs;
  });
}

for (const [name, make] of Object.entries(extremes)) {
  describe(name, () => {
    let laid: Laid;
    before(async () => {
      laid = await laidOut(make());
    });

    test('nothing is wider than its box', () => assert.deepEqual(laid.wide, []));

    test('nothing leaves the page or stands on something else', () => {
      for (const page of laid.pages) {
        const cut = page.texts.filter((text) => text.is_upright && isCut(text, page));
        assert.deepEqual(
          cut.map(({ text }) => text),
          [],
        );
        assert.deepEqual(overlapping(page.texts), []);
      }
    });

    test('every page has a head and its number, where there are several', () => {
      const { pages, print } = laid;
      for (const [place, { lines }] of pages.entries()) {
        const number = lines.at(-1)!.replace(/\s/g, '');
        if (pages.length > 1) assert.equal(number, `${place + 1}/${pages.length}`);
        if (place > 0) assert.equal(letters(lines[0]!), letters(print.running_head));
      }
    });

    test('all texts are there, whole', () => {
      const { print, pages } = laid;
      const said = letters(pages.map(({ texts }) => texts.map(({ text }) => text).join('')).join(''));
      for (const { description, amount, item_code } of print.lines) {
        for (const text of [description, amount, item_code]) assert.ok(has(said, text), `${text} is missing`);
      }
      for (const text of [print.recipient.name, print.issuer.name, print.headline?.value, print.greeting]) {
        assert.ok(has(said, text ?? ''), `${text} is missing`);
      }
    });
  });
}

/** Emoji that are made of several are drawn, and read, as one; a page's turn may come amid a long text. */
function has(said: string, text: string): boolean {
  return text
    .split(/\p{Extended_Pictographic}[\u200d\ufe0f\p{Extended_Pictographic}]*|\n/u)
    .flatMap((part) => letters(part).match(/.{1,12}/gu) ?? [])
    .every((part) => said.includes(part));
}

describe('a document of several pages', () => {
  const amount = (text: string) => BigInt(text.replace('▲', '-').replaceAll(',', ''));
  /** The amounts of a page in order, and the sums that it begins and ends with. */
  function amountsOf({ lines }: PdfPage) {
    const shown = (label: string) =>
      lines
        .find((line) => line.includes(label))
        ?.split(' ')
        .at(-1);
    const end = lines.findIndex((line) => /次頁へ繰越|税率別内訳|小計/.test(line));
    const rows = lines
      .slice(lines.findIndex((line) => line.startsWith('No.')) + 1, end)
      .filter((line) => /^\d+ .*% ▲?[\d,]+$/.test(line));
    const values = rows.map((line) => amount(line.split(' ').at(-1)!));
    return { values, brought: shown('前頁より繰越'), forward: shown('次頁へ繰越'), rows };
  }

  for (const count of [30, 95, 1000]) {
    test(`carries the sum of its ${count} lines from page to page`, async () => {
      const { pages, print } = await laidOut(printed('invoice', { lines: manyLines(count) }));
      let sum = 0n;
      let seen = 0;
      for (const [place, page] of pages.entries()) {
        const { values, brought, forward, rows } = amountsOf(page);
        assert.equal(brought && amount(brought), place === 0 ? undefined : sum);
        assert.ok(rows.length > 0, `page ${place + 1} has no line`);
        sum += values.reduce((total, value) => total + value, 0n);
        seen += values.length;
        assert.equal(forward && amount(forward), place === pages.length - 1 ? undefined : sum);
        assert.ok(
          page.lines.some((line) => line.startsWith('No.') && line.includes('品目')),
          'no head',
        );
      }
      assert.equal(seen, print.lines.filter(({ type }) => type === 'item').length);
      assert.equal(amount(print.lines.at(-1)!.running), sum);
      assert.ok(pages.at(-1)!.lines.some((line) => line.startsWith('小計') || line.includes('小計(税抜)')));
    });
  }

  test('carries nothing where it shows no prices', async () => {
    const { pages } = await laidOut(printed('delivery_note', { lines: manyLines(60), show_prices: false }));
    assert.ok(pages.length > 1);
    assert.doesNotMatch(pages.flatMap(({ lines }) => lines).join(), /繰越/);
  });

  test('a memo of ten thousand letters is there to its last one', async () => {
    const memo = Array.from({ length: 2000 }, (_, place) => String(place).padStart(4, '0')).join('。');
    const { pages } = await laidOut(printed('invoice', { memo }));
    const said = letters(pages.flatMap(({ lines }) => lines.slice(0, -1)).join('')).replaceAll(
      '請求書INV-2026-0412',
      '',
    );
    assert.ok(said.includes(letters(memo)));
  });
});

describe('a window envelope', () => {
  /** What is seen through the window wherever the sheet has slid to, from the upper left corner in millimetres. */
  const WINDOW = { from: 18, to: 88, top: 11, bottom: 38 };

  for (const side of ['left', 'right'] as const) {
    test(`shows the address and nothing else on the ${side}`, async () => {
      const person = { name: '佐藤 花子', position: '経理部長' };
      const changes = { settings: { window_envelope: side }, extras: { person } };
      const { pages, print } = await laidOut(printed('invoice', { lines: manyLines(5) }, changes));
      const { texts, width, height } = pages[0]!;
      const shown = texts.filter(({ x, y, width: wide }) => {
        const [from, to] = side === 'left' ? [x, x + wide] : [width - x - wide, width - x];
        const down = (height - y) / MM;
        const inside = from! / MM < WINDOW.to && to! / MM > WINDOW.from;
        return inside && down > WINDOW.top && down < WINDOW.bottom + 4;
      });
      const { address, name, person: addressed } = print.recipient;
      assert.equal(
        letters(shown.map(({ text }) => text).join('')),
        letters([...address, name, addressed].join('')),
      );
      for (const { x, y, width: wide } of shown) {
        const [from, to] =
          side === 'left' ? [x, x + wide] : [x - (width - 106 * MM), x + wide - (width - 106 * MM)];
        assert.ok(from! / MM >= WINDOW.from && to! / MM <= WINDOW.to && (height - y) / MM <= WINDOW.bottom);
      }
    });
  }
});

describe('the text of a page', () => {
  test('is read line by line as it stands', async () => {
    const { pages } = await laidOut(
      printed('invoice', {
        subject: '4月分',
        lines: [
          { description: 'コーヒー豆', quantity: '12', unit: '袋', price: '4200', category: 'reduced' },
          { description: '割引', price: '-3000' },
        ],
      }),
    );
    const { lines } = pages[0]!;
    const order = [
      '請 求 書',
      '株式会社山田商店 御中',
      '下記のとおりご請求申し上げます。',
      'No. 品目・摘要 数量 単位 単価 税率 金額（税抜）',
      '1 コーヒー豆 ※ 12 袋 4,200 8% 50,400',
      '2 割引 1 ▲3,000 10% ▲3,000',
      '10%対象 ▲¥3,000 ▲¥300 ▲¥3,300',
    ];
    const places = order.map((line) => lines.indexOf(line));
    assert.ok(
      places.every((place) => place >= 0),
      `${JSON.stringify(lines)} ${places}`,
    );
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });

  test('is in the letters that were written, also where radicals look the same', async () => {
    const description = '日月火水木金土山川田人口目手足青長門食馬魚鳥・／〈〉‘’–';
    const { pages } = await laidOut(printed('invoice', { lines: [{ description, price: '1' }] }));
    assert.ok(
      pages[0]!.lines.some((line) => line.includes(description)),
      pages[0]!.lines.join('\n'),
    );
  });

  test('written with radicals is drawn and read as letters', async () => {
    const { pages } = await laidOut(
      printed('invoice', { lines: [{ description: '⽇⽉⻘⻑‧', price: '1' }] }),
    );
    assert.ok(
      pages[0]!.lines.some((line) => line.includes('日月青長・')),
      pages[0]!.lines.join('\n'),
    );
  });
});
