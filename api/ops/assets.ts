import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Router from '@koa/router';
import { fixedText, sendText } from '../pages/answer.ts';

const file = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** In their order: what comes later has the last word. */
const STYLES = [
  '../pages/style/base.css',
  'style/frame.css',
  'style/parts.css',
  'style/tables.css',
  'style/forms.css',
];

/** The stylesheet of the operators' pages. */
export function assetFiles(router: Router): void {
  const style = fixedText('text/css; charset=utf-8', STYLES.map(file).join('\n'));
  router.get('/ops/style.css', (context) => sendText(context, style));
}
