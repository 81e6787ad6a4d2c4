import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type FixedText, fixedText } from '../answer.ts';
import { pagePolicy } from '../policy.ts';

const PACKAGE = resolve(import.meta.dirname, '../../../node_modules/@scalar/api-reference');
const { version } = JSON.parse(readFileSync(resolve(PACKAGE, 'package.json'), 'utf8')) as { version: string };

/**
 * What the reference may load: its own scripts and the OpenAPI text. The styles are written into the page by its
 * script, hence 'unsafe-inline' for styles alone; requests that a reader tries go to this service.
 */
export const REFERENCE_POLICY = pagePolicy({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
});

/** Where the script is served: the path carries its version, so browsers may keep it. */
export const SCRIPT = `/docs/reference/${version}.js`;

/** What stands in the page before the script has anything to show goes when it has. */
const START = `'use strict';
Scalar.createApiReference('#reference', {
  url: document.documentElement.lang === 'ja' ? '/openapi.json?lang=ja' : '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'json',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
const first = document.getElementById('first');
const place = document.getElementById('reference');
const watch = new MutationObserver(() => {
  if (!place.querySelector('h1')) return;
  first.remove();
  watch.disconnect();
});
watch.observe(place, { childList: true, subtree: true });
`;

/** The script of the reference, and the few lines that start it. */
export const referenceScripts: { bundle: () => FixedText; start: FixedText } = {
  bundle: once(() =>
    fixedText(
      'text/javascript',
      readFileSync(resolve(PACKAGE, 'dist/browser/standalone.js'), 'utf8'),
      'public, max-age=31536000, immutable',
    ),
  ),
  start: fixedText('text/javascript', START),
};

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
