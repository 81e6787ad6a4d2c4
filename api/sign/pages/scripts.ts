import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Router from '@koa/router';
import { fixedText, sendText } from '../../pages/answer.ts';
import { servePdfjs } from './pdfjs.ts';

/** The script of the signing page, which loads the others. */
export const SIGNING_SCRIPT = '/pages/sign/signing.js';

const SCRIPTS = ['signing', 'pages', 'boxes', 'pad', 'strokes', 'progress'] as const;

/** Serves the scripts of the signing page, which is whole without them, and the package that draws PDFs. */
export function serveSignScripts(router: Router): void {
  servePdfjs(router);
  for (const name of SCRIPTS) {
    const text = readFileSync(join(import.meta.dirname, `scripts/${name}.js`), 'utf8');
    const script = fixedText('text/javascript', text);
    router.get(`/pages/sign/${name}.js`, (context) => sendText(context, script));
  }
}
