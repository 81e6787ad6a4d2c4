import { html } from 'ghtml';
import type { Print, PrintSums, PrintTax } from '../../../shared/invoicing/print/model.ts';

/** What stands below the table and together: the legend, the tax by category, and the sums. */
export function sumsBelow({ legend, sums }: Print): string {
  const said = legend && html`<p class="legend">${legend}</p>`;
  if (!sums) return said ? html`<section class="sums">!${said}</section>` : '';
  return html`<section class="sums"><div class="left">!${said}!${breakdown(sums)}</div>!${totals(sums)}</section>`;
}

function breakdown({ breakdown_title, breakdown_heads: heads, breakdown: groups }: PrintSums): string {
  if (groups.length === 0) return '';
  return html`<table class="breakdown"><caption>${breakdown_title}</caption>
    <thead><tr><th scope="col">${heads.label}</th><th scope="col">${heads.net}</th><th scope="col">${heads.tax}</th><th scope="col">${heads.gross}</th></tr></thead>
    <tbody>!${groups.map(taxRow)}</tbody></table>`;
}

function taxRow({ label, net, tax, gross }: PrintTax): string {
  return html`<tr><th scope="row">${label}</th><td>${net}</td><td>${tax}</td><td>${gross}</td></tr>`;
}

function totals({ rows }: PrintSums): string {
  const shown = rows.map(
    ({ label, value, strong }) =>
      html`<tr class="!${strong ? 'strong' : 'plain'}"><th scope="row">${label}</th><td>${value}</td></tr>`,
  );
  return html`<table class="totals">!${shown}</table>`;
}
