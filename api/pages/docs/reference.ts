import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { html } from 'ghtml';
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

const START = `'use strict';
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'json',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
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

/** /docs/reference: every endpoint, rendered from the OpenAPI text in the browser. */
export const referencePage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference – Business Operations Service</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript><p>The reference needs JavaScript. Everything in it stands in <a href="/openapi.json">openapi.json</a> too;
the <a href="/docs">guides</a> need none.</p></noscript>
<script src="${SCRIPT}"></script>
<script src="/docs/reference/start.js"></script>
</body>
</html>
`;

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
