import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type Router from '@koa/router';
import { type FixedText, fixedText, sendText } from '../../pages/answer.ts';

/** The script that shows a page at once, and the one that works out a proof. */
export const PAGE_SCRIPT = '/f/page.js';
export const PROOF_SCRIPT = '/f/proof.js';

/** The ID of the element that holds what the page's script decides by. */
export const CONDITIONS = 'conditions';

const REPLAY = join(import.meta.dirname, '../../../shared/forms/replay/replay.ts');

/** Serves the scripts of forms: those of the page, and the rules of conditions and paths, which the server decides by too. */
export function serveFormScripts(router: Router): void {
  const serve = (name: string, read: () => string) => {
    let script: FixedText | undefined;
    router.get(`/f/${name}.js`, (context) => {
      script ??= fixedText('text/javascript', read());
      return sendText(context, script);
    });
  };
  for (const name of ['page', 'answers', 'proof']) {
    serve(name, () => readFileSync(join(import.meta.dirname, `scripts/${name}.js`), 'utf8'));
  }
  serve('replay', () => withoutTypes(readFileSync(REPLAY, 'utf8')));
}

/**
 * The text of a module without its types. Node.js reads every file of the service so, but warns of the function as an experiment: operators
 * can do nothing about that, and their log stays clear of it.
 */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
