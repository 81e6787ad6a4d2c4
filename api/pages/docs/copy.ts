import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { fixedText } from '../answer.ts';
import { words } from './words.ts';

/** Where the script is that gives each sample a button to copy it. */
export const COPY_SCRIPT = '/pages/copy.js';

/** Browsers let a page copy where the connection is safe; elsewhere there are no buttons, and samples are selected by hand. */
export const copyText = fixedText(
  'text/javascript',
  `'use strict';
const { copy, copied } = document.currentScript.dataset;
for (const sample of navigator.clipboard ? document.querySelectorAll('main pre') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy plain';
  button.setAttribute('aria-live', 'polite');
  button.textContent = copy;
  const frame = document.createElement('div');
  frame.className = 'sample';
  sample.replaceWith(frame);
  frame.append(sample, button);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(sample.textContent.trimEnd());
    button.textContent = copied;
    setTimeout(() => (button.textContent = copy), 2000);
  });
}
`,
);

/** The script's place in a page, with its words. */
export function copyScript(language: Language): string {
  return html`<script src="${COPY_SCRIPT}" data-copy="${words.copy[language]}" data-copied="${words.copied[language]}"></script>`;
}
