import { html } from 'ghtml';
import type { Print, PrintField } from '../../../shared/invoicing/print/model.ts';
import { imageOf, type PaperImages } from './images.ts';

/** Letters from which on a name is set smaller. */
const LONG = 48;

/** All above the table: title, recipient, number and dates, issuer, and the sum that matters. */
export function letterhead(print: Print, images: PaperImages): string {
  return html`<header class="letterhead">
    !${title(print)}!${recipient(print)}!${facts(print)}!${lead(print)}!${issuer(print, images)}
  </header>`;
}

function title({ title, subtitle, draft_mark }: Print): string {
  return html`<div class="title"><h1>${title}</h1>
    !${subtitle === null ? '' : html`<p>${subtitle}</p>`}
    !${draft_mark === null ? '' : html`<p class="stamp">${draft_mark}</p>`}</div>`;
}

function recipient({ recipient: { address, name, honorific, person } }: Print): string {
  const lines = address.map((line) => html`<span>${line}</span>`);
  return html`<div class="to">
    !${lines.length === 0 ? '' : html`<address>!${lines}</address>`}
    <p class="!${nameClass(name)}">${name}!${honorific && html` <span class="honorific">${honorific}</span>`}</p>
    !${person === null ? '' : html`<p class="person">${person}</p>`}
  </div>`;
}

function facts({ facts }: Print): string {
  return html`<dl class="facts">!${facts.map(field)}</dl>`;
}

function issuer({ issuer: { name, detail, registration, logo, seal } }: Print, images: PaperImages): string {
  return html`<div class="issuer">
    !${imageOf(logo, images, { as: 'logo', alt: name })}
    <div class="signed"><p class="!${nameClass(name)}">${name}</p>
      !${imageOf(seal, images, { as: 'seal', alt: '' })}</div>
    !${registration && html`<p class="registration">${registration.label} ${registration.value}</p>`}
    !${detail && html`<p class="detail">${detail}</p>`}
  </div>`;
}

function nameClass(name: string): string {
  return name.length > LONG ? 'name long' : 'name';
}

function lead({ subject, greeting, headline, terms }: Print): string {
  return html`<div class="lead">
    !${subject && html`<dl class="subject"><dt>${subject.label}</dt><dd>${subject.value}</dd></dl>`}
    <p class="greeting">${greeting}</p>
    !${
      headline &&
      html`<dl class="headline"><dt>${headline.label}<span>${headline.note}</span></dt><dd>${headline.value}</dd></dl>`
    }
    !${terms.length === 0 ? '' : html`<dl class="terms">!${terms.map(field)}</dl>`}
  </div>`;
}

function field({ label, value }: PrintField): string {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}
