import { html } from 'ghtml';
import type { Text } from '../../shared/kernel/language.ts';
import { count, type Speech } from './speech.ts';

/** A piece of HTML whose values are escaped already. */
export type Html = string;

/** What can be done with a row speaks for itself: its column is named for those who cannot see it. */
type Silent = 'select' | 'act';

/** `wide` may take what room is left, `term` is never broken, `name` only where it is very long. */
export type Column = { label: Text; kind?: 'number' | 'wide' | 'term' | 'name' | 'chart' | Silent };

export type TableOptions = {
  /** What the table shows, for those who cannot see it. */
  caption: Text;
  columns: readonly Column[];
  /** Cells as HTML; the first column that is not a choice names its row. */
  rows: readonly (readonly Html[])[];
};

/**
 * A table; on a narrow screen each row becomes a card whose cells name their columns. The roles say that it is a
 * table even then: what is laid out otherwise loses its meaning in some browsers.
 */
export function table({ say }: Speech, { caption, columns, rows }: TableOptions): Html {
  const head = columns.map(
    ({ label, kind }) =>
      html`<th role="columnheader" scope="col" class="${kind ?? ''}">!${kind === 'select' || kind === 'act' ? html`<span class="unseen">${say(label)}</span>` : html`${say(label)}`}</th>`,
  );
  const naming = columns.findIndex(({ kind }) => kind !== 'select');
  const body = rows.map((cells) => {
    const shown = cells.map((cell, index) => {
      const { label, kind = '' } = columns[index] ?? {};
      return index === naming
        ? html`<th role="rowheader" scope="row" class="${kind}">!${cell}</th>`
        : html`<td role="cell" class="${kind}" data-label="${label ? say(label) : ''}"><div>!${cell}</div></td>`;
    });
    return html`<tr role="row">!${shown}</tr>
`;
  });
  return html`<table role="table" class="list">
<caption class="unseen">${say(caption)}</caption>
<thead role="rowgroup"><tr role="row">!${head}</tr></thead>
<tbody role="rowgroup">
!${body}</tbody>
</table>`;
}

export type Tone = 'good' | 'warn' | 'bad' | 'calm';

/** A state in a word; its colour says nothing that the word does not. */
export function badge(word: string, tone: Tone): Html {
  return html`<span class="badge ${tone}">${word}</span>`;
}

/** A number that is looked at first, in a tile; `path` leads to what it counts. */
export type Figure = { name: Text; figure: string; note?: Text; tone?: Tone; path?: string };

/** Numbers in tiles. */
export function figures({ say }: Speech, shown: readonly Figure[]): Html {
  const items = shown.map(
    ({ name, figure, note, tone = 'calm', path }) =>
      html`<div class="${tone}"><dt>!${path ? html`<a href="${path}">${say(name)}</a>` : html`${say(name)}`}</dt><dd class="figure">${figure}</dd>!${note ? html`<dd class="note">${say(note)}</dd>` : ''}</div>`,
  );
  return html`<dl class="tiles">!${items}</dl>`;
}

/** A name and its value; null where it does not apply. */
export type Fact = readonly [name: Text, value: Html] | null;

/** Names and values. */
export function facts({ say }: Speech, values: readonly Fact[]): Html {
  const items = values.map((fact) => {
    if (fact === null) return '';
    const [name, value] = fact;
    return html`<div><dt>${say(name)}</dt><dd>!${value}</dd></div>`;
  });
  return html`<dl class="facts">!${items}</dl>`;
}

/** What is said where a list is empty. */
export function nothing({ say }: Speech, sentence: Text): Html {
  return html`<p class="nothing">${say(sentence)}</p>`;
}

/** What is said after a change. */
export function told(sentence: string): Html {
  return html`<p role="status" class="told">${sentence}</p>`;
}

/** A part of a page with its heading, whose anchor is that of its English words. `aside` stands beside the heading. */
export function section({ say }: Speech, title: Text, body: Html, aside: Html = ''): Html {
  const id = title.en.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return html`<section class="panel" aria-labelledby="${id}">
<div class="panel-head"><h2 id="${id}">${say(title)}</h2>!${aside}</div>
!${body}
</section>`;
}

/** Links to the pages of a list; nothing where all is on one. */
export function pager(
  { say }: Speech,
  path: string,
  query: URLSearchParams,
  { page, per_page, total }: { page: number; per_page: number; total: number },
): Html {
  const last = Math.max(1, Math.ceil(total / per_page));
  const link = (to: number, words: string, rel: string) => {
    if (to < 1 || to > last) return html`<span class="quiet">${words}</span>`;
    const at = new URLSearchParams(query);
    at.set('page', String(to));
    return html`<a rel="${rel}" href="${path}?${at.toString()}">${words}</a>`;
  };
  if (last === 1) return '';
  const earlier = link(page - 1, say({ en: '← Earlier page', ja: '← 前のページ' }), 'prev');
  const next = link(page + 1, say({ en: 'Next page →', ja: '次のページ →' }), 'next');
  const here = say({ en: `Page ${page} of ${last}`, ja: `${last}ページ中${page}ページ` });
  return html`<nav class="pager" aria-label="${say({ en: 'Pages', ja: 'ページ' })}">!${earlier} <span>${here}</span> !${next}</nav>`;
}

/** Bars for the minutes of an hour with their scale, large. `label` says the same in words. */
export function hourChart({ say }: Speech, numbers: readonly number[], label: string): Html {
  const most = Math.max(...numbers, 0);
  const caption =
    most === 0
      ? { en: 'Nothing was done', ja: '処理はありませんでした' }
      : { en: `Up to ${count(most)} a minute`, ja: `最大 毎分${count(most)}件` };
  return html`<figure class="hour">
<figcaption>${say(caption)}</figcaption>
!${bars(numbers, label, 64)}
<div class="scale" aria-hidden="true"><span>${say({ en: 'an hour ago', ja: '1時間前' })}</span><span>${say({ en: 'half an hour ago', ja: '30分前' })}</span><span>${say({ en: 'now', ja: '現在' })}</span></div>
</figure>`;
}

/** Bars for a row of numbers, the oldest first. `label` says the same in words. */
export function bars(numbers: readonly number[], label: string, height = 24): Html {
  const most = Math.max(...numbers, 1);
  const width = 3;
  const shown = numbers.map((number, index) => {
    const size = number === 0 ? 1 : Math.max(2, Math.round((number / most) * height));
    return html`<rect x="${index * width}" y="${height - size}" width="${width - 1}" height="${size}" class="${number === 0 ? 'none' : ''}"/>`;
  });
  return html`<svg class="bars" role="img" aria-label="${label}" viewBox="0 0 ${numbers.length * width} ${height}" preserveAspectRatio="none">!${shown}</svg>`;
}
