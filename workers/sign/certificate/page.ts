import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { html } from 'ghtml';
import { encodeQR } from 'qr';
import type { Certificate, Fact } from '../../../shared/sign/certificate/contents.ts';
import { inCommonLetters } from '../../pdf/letters.ts';
import { MARGIN, pageBoxes } from '../../pdf/paper/style.ts';
import { printed } from '../../pdf/printed.ts';

const sheet = readFileSync(resolve(import.meta.dirname, 'certificate.css'), 'utf8');

/** A certificate as HTML that loads nothing; every text of it is escaped. */
export function certificatePage(certificate: Certificate): string {
  const { locale, words, title, organization, facts, hashes, signers, statements, verify } = certificate;
  return inCommonLetters(html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><title>${words.title}</title><style>!${styleOf(certificate)}</style></head>
<body><header><div><p class="organization">${organization}</p><h1>${words.title}</h1><p class="title">${title}</p></div>
<div class="verify">!${qrCode(verify.url)}<strong>${words.verify}</strong>${verify.shown}</div></header>
<section><h2>${words.document}</h2><dl class="facts">!${facts.map(factOf)}</dl><dl class="hashes">!${hashes.map(factOf)}</dl></section>
<section><h2>${words.signers}</h2>!${signers.map(signerOf)}</section>
<section><h2>${words.history}</h2>!${historyOf(certificate)}</section>
<section class="about"><h2>${words.about}</h2>!${statements.map((text) => html`<p>${text}</p>`)}</section>
</body></html>`);
}

function styleOf({ running_head, words }: Certificate): string {
  const margins = `${MARGIN.top}mm ${MARGIN.right}mm ${MARGIN.bottom}mm ${MARGIN.left}mm`;
  return `@page { size: A4; margin: ${margins} }
${printed}
${sheet}
${pageBoxes({ running_head, page_of: words.page_of })}`;
}

/** Readable with 15 % of it lost; the paper around it is the rest of its margin. */
function qrCode(text: string): string {
  return encodeQR(text, 'svg', { ecc: 'medium', border: 1 });
}

function factOf({ label, value, is_hash }: Fact): string {
  const text = is_hash ? html`<dd class="hash">${value}</dd>` : html`<dd>${value}</dd>`;
  return html`<div><dt>${label}</dt>!${text}</div>`;
}

function signerOf({ name, email, role, facts }: Certificate['signers'][number]): string {
  return html`<div class="signer"><div><p class="name">${name}</p><p>${email}</p><p class="role">${role}</p></div>
<dl class="facts">!${facts.map(factOf)}</dl></div>`;
}

function historyOf({ words: { columns }, zone, events }: Certificate): string {
  const rows = events.map(
    ({ seq, utc, local, event, actor, ip_address }) =>
      html`<tr><td class="seq">${seq}</td><td>${utc}</td><td>${local}</td><td>${event}</td><td>${actor}</td><td>${ip_address}</td></tr>`,
  );
  return html`<table><colgroup><col style="width: 9mm"><col style="width: 28mm"><col style="width: 37.5mm"><col><col style="width: 30mm"><col style="width: 25mm"></colgroup>
<thead><tr><th class="seq">${columns.seq}</th><th>${columns.utc}</th><th>${zone}</th><th>${columns.event}</th><th>${columns.actor}</th><th>${columns.ip_address}</th></tr></thead>
<tbody>!${rows}</tbody></table>`;
}
