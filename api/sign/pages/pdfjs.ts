import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type Router from '@koa/router';
import { type FixedText, fixedText, sendText } from '../../pages/answer.ts';

const PACKAGE = resolve(import.meta.dirname, '../../../node_modules/pdfjs-dist');
const { version } = JSON.parse(readFileSync(resolve(PACKAGE, 'package.json'), 'utf8')) as { version: string };

/** Where the package that draws PDFs in browsers is served: the path carries its version, so browsers may keep it. */
export const PDFJS = `/pages/pdfjs/${version}/`;

const KEPT = 'public, max-age=31536000, immutable';

/** The build for browsers of some years: who signs has not chosen theirs for it. */
const SCRIPTS = ['pdf.min.mjs', 'pdf.worker.min.mjs'] as const;

/** What a PDF may need that embeds neither its fonts nor their maps, by folder of the package. */
const FOLDERS = ['cmaps', 'standard_fonts'] as const;

const NAME = /^[\w-]+\.(bcmap|pfb|ttf)$/;

/** Serves the scripts of pdf.js, and the fonts and maps that they ask for. */
export function servePdfjs(router: Router): void {
  const scripts = new Map<string, FixedText>();
  for (const name of SCRIPTS) {
    router.get(`${PDFJS}${name}`, (context) => {
      const script = scripts.get(name) ?? scriptOf(name);
      scripts.set(name, script);
      return sendText(context, script);
    });
  }
  for (const folder of FOLDERS) {
    const names = readdir(resolve(PACKAGE, folder)).then(
      (all) => new Set(all.filter((each) => NAME.test(each))),
    );
    router.get(`${PDFJS}${folder}/:name`, async (context, next) => {
      const { name } = context['params'] as { name: string };
      if (!(await names).has(name)) return next();
      context.type = 'application/octet-stream';
      context.set('Cache-Control', KEPT);
      context.body = await readFile(resolve(PACKAGE, folder, name));
    });
  }
}

function scriptOf(name: string): FixedText {
  return fixedText('text/javascript', readFileSync(resolve(PACKAGE, 'legacy/build', name), 'utf8'), KEPT);
}
