import { html } from 'ghtml';
import type { Print, PrintField } from '../../../shared/invoicing/print/model.ts';
import { imageOf, type PaperImages } from './images.ts';

/** Letters from which on a name is set smaller. */
const LONG = 48;

/** Letters from which on the sum is. */
const WIDE = 14;

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

function recipient({ locale, recipient: { address, name, honorific, person } }: Print): string {
  const lines = address.map((line) => html`<span>${line}</span>`);
  const place = lines.length === 0 ? '' : html`<address>!${lines}</address>`;
  const who = html`<p class="!${nameClass(name)}">${name}!${honorific && html` <span class="honorific">${honorific}</span>`}</p>
    !${person === null ? '' : html`<p class="person">${person}</p>`}`;
  return html`<div class="to">!${locale === 'ja' ? place + who : who + place}</div>`;
}

function facts({ facts }: Print): string {
  return html`<table class="facts">!${facts.map(field)}</table>`;
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
    !${subject && html`<p class="subject"><span>${subject.label}</span> <b>${subject.value}</b></p>`}
    <p class="greeting">${greeting}</p>
    !${
      headline &&
      html`<div class="headline"><p>${headline.label} <span>${headline.note}</span></p><p class="!${headline.value.length > WIDE ? 'sum wide' : 'sum'}">${headline.value}</p></div>`
    }
    !${terms.length === 0 ? '' : html`<table class="terms">!${terms.map(field)}</table>`}
  </div>`;
}

function field({ label, value }: PrintField): string {
  return html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`;
}
