import { html } from 'ghtml';

/** A piece of HTML whose values are escaped already. */
export type Html = string;

/** What can be done with a row speaks for itself: its column is named for those who cannot see it. */
type Silent = 'select' | 'act';

/** `wide` may take what room is left, `term` is never broken, `name` only where it is very long. */
export type Column = { label: string; kind?: 'number' | 'wide' | 'term' | 'name' | 'chart' | Silent };

export type TableOptions = {
  /** What the table shows, for those who cannot see it. */
  caption: string;
  columns: readonly Column[];
  /** Cells as HTML; the first column that is not a choice names its row. */
  rows: readonly (readonly Html[])[];
};

/**
 * A table; on a narrow screen each row becomes a card whose cells name their columns. The roles say that it is a
 * table even then: what is laid out otherwise loses its meaning in some browsers.
 */
export function table({ caption, columns, rows }: TableOptions): Html {
  const head = columns.map(
    ({ label, kind }) =>
      html`<th role="columnheader" scope="col" class="${kind ?? ''}">!${kind === 'select' || kind === 'act' ? html`<span class="unseen">${label}</span>` : html`${label}`}</th>`,
  );
  const naming = columns.findIndex(({ kind }) => kind !== 'select');
  const body = rows.map((cells) => {
    const shown = cells.map((cell, index) => {
      const { label = '', kind = '' } = columns[index] ?? {};
      return index === naming
        ? html`<th role="rowheader" scope="row" class="${kind}">!${cell}</th>`
        : html`<td role="cell" class="${kind}" data-label="${label}"><div>!${cell}</div></td>`;
    });
    return html`<tr role="row">!${shown}</tr>
`;
  });
  return html`<table role="table" class="list">
<caption class="unseen">${caption}</caption>
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
export type Figure = { name: string; figure: string; note?: string; tone?: Tone; path?: string };

/** Numbers in tiles. */
export function figures(shown: readonly Figure[]): Html {
  const items = shown.map(
    ({ name, figure, note, tone = 'calm', path }) =>
      html`<div class="${tone}"><dt>!${path ? html`<a href="${path}">${name}</a>` : html`${name}`}</dt><dd class="figure">${figure}</dd>!${note ? html`<dd class="note">${note}</dd>` : ''}</div>`,
  );
  return html`<dl class="tiles">!${items}</dl>`;
}

/** Names and values. */
export function facts(values: Record<string, Html>): Html {
  const items = Object.entries(values).map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>`,
  );
  return html`<dl class="facts">!${items}</dl>`;
}

/** What is said where a list is empty. */
export function nothing(sentence: string): Html {
  return html`<p class="nothing">${sentence}</p>`;
}

/** A part of a page with its heading. `aside` stands beside the heading. */
export function section(title: string, body: Html, aside: Html = ''): Html {
  const id = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return html`<section class="panel" aria-labelledby="${id}">
<div class="panel-head"><h2 id="${id}">${title}</h2>!${aside}</div>
!${body}
</section>`;
}

/** Links to the pages of a list; nothing where all is on one. */
export function pager(
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
  return html`<nav class="pager" aria-label="Pages">!${link(page - 1, '← Earlier page', 'prev')} <span>Page ${page} of ${last}</span> !${link(page + 1, 'Next page →', 'next')}</nav>`;
}

/** Bars for the minutes of an hour with their scale, large. `label` says the same in words. */
export function hourChart(numbers: readonly number[], label: string): Html {
  const most = Math.max(...numbers, 0);
  return html`<figure class="hour">
<figcaption>${most === 0 ? 'Nothing was done' : `Up to ${most.toLocaleString('en')} a minute`}</figcaption>
!${bars(numbers, label, 64)}
<div class="scale" aria-hidden="true"><span>an hour ago</span><span>half an hour ago</span><span>now</span></div>
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
