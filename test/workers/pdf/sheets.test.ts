import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayColumns } from '../../../shared/attendance/exports/sheets/day-columns.ts';
import type { Sheet } from '../../../shared/attendance/exports/sheets/model.ts';
import { renderSheets } from '../../../workers/attendance/sheets/render-sheets.ts';
import { readPdf, testRenderer, unhurried } from '../../support/rendering.ts';

const renderer = testRenderer();

/** Longer than any box of a page is wide. */
const LONG = 'とても長い名前の部署と役職を持つ社員<b>&"のための長い文字列'.repeat(6);

/** A sheet of so many days, each of which has more to say than there is room for. */
function fullSheet(language: Sheet['language'], days: number): Sheet {
  const figures = Array.from({ length: 14 }, (_, index) => ({ label: LONG, value: `${index}:00` }));
  const number = (index: number) => String(index + 1).padStart(2, '0');
  return {
    language,
    title: '勤務表',
    month: '2026年10月',
    organization: '株式会社山田商店',
    facts: ['氏名', '部署', '役職', '期間', '状態', '承認者', '社員番号', '労働時間制'].map((label) => {
      return { label, value: LONG };
    }),
    seals: ['本人', '上長', '承認'],
    heads: dayColumns.map(({ head }) => head[language]),
    remark_head: '休暇・備考',
    days: Array.from({ length: days }, (_, index) => ({
      day_type: index % 7 === 0 ? 'legal_holiday' : 'workday',
      cells: [`D${number(index)}`, ...dayColumns.slice(1).map(() => '123:45')],
      remark: LONG,
      is_marked: true,
    })),
    sum_label: '合計',
    sums: dayColumns.map(({ sum }) => (sum ? '1234:56' : '')),
    groups: ['日数', '時間', '割増'].map((title) => ({ title, figures })),
    limits: {
      title: '36協定',
      figures: figures.slice(0, 6),
      heads: ['判定', '実績', '上限', '残り', '平均'],
      tests: Array.from({ length: 8 }, (_, index) => [`T${index}`, '1:00', '2:00', '3:00', '4:00']),
    },
    legend: '時間は「時:分」',
  };
}

test('a sheet takes one page, whatever names and remarks it has, of 31 days and of 59', async () => {
  const sheets = [fullSheet('ja', 31), fullSheet('en', 59), fullSheet('ja', 28)];
  const pdf = readPdf(await renderSheets(renderer, sheets, unhurried));
  assert.ok(pdf.check());
  assert.deepEqual(pdf.info()['Pages'], '3');
  assert.ok(pdf.fonts().every(({ embedded }) => embedded === 'yes'));
  for (const [place, page] of pdf.layout().entries()) {
    for (const index of sheets[place]!.days.keys()) {
      assert.ok(page.includes(`D${String(index + 1).padStart(2, '0')}`), `day ${index + 1}`);
    }
    for (const text of ['合計', '1234:56', 'T0', 'T7', '時間は「時:分」'])
      assert.ok(page.includes(text), text);
  }
});

test('sheets beyond one part stay in their order', async () => {
  const sheets = Array.from({ length: 23 }, (_, index) => {
    return { ...fullSheet('ja', 28), month: `No. ${index + 1}.` };
  });
  const pages = readPdf(await renderSheets(renderer, sheets, unhurried)).layout();
  assert.equal(pages.length, 23);
  for (const [place, page] of pages.entries()) assert.ok(page.includes(`No. ${place + 1}.`));
});
