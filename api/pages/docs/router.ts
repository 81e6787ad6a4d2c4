import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Router from '@koa/router';
import type { Language } from '../../../shared/kernel/language.ts';
import type { ApiContext } from '../../context.ts';
import { speakTo } from '../../http/language.ts';
import { openApi } from '../../openapi.ts';
import { type FixedText, fixedText, sendPage, sendText } from '../answer.ts';
import { STYLESHEET } from '../layout.ts';
import { ZONE_SCRIPT, zoneScript } from '../time-zone.ts';
import { contentsPage, guidePage } from './contents.ts';
import { errorsPage } from './errors.ts';
import { guideNames, guidesFor } from './guides.ts';
import { servePictures } from './pictures.ts';
import { REFERENCE_POLICY, referencePage, referenceScripts, SCRIPT } from './reference.ts';

const stylesheet = ['base', 'text', 'forms', 'shares', 'booking', 'sign', 'questions', 'mail']
  .map((part) => readFileSync(resolve(import.meta.dirname, `../style/${part}.css`), 'utf8'))
  .join('\n');

/** The text about the API, for people and for programs; it needs no credentials and is the same for everybody. */
export function docs({ settings }: ApiContext): Router {
  const router = new Router({ sensitive: true });
  const html = (text: string) => fixedText('text/html', text);
  const serve = (path: string, make: () => FixedText, policy?: string) => {
    let fixed: FixedText | undefined;
    router.get(path, (context) => {
      fixed ??= make();
      return fixed.type === 'text/html' ? sendPage(context, fixed, policy) : sendText(context, fixed);
    });
  };

  serve('/openapi.json', () => fixedText('application/json', JSON.stringify(openApi())));
  serve(STYLESHEET, () => fixedText('text/css', stylesheet));
  serve(ZONE_SCRIPT, () => zoneScript);
  router.get('/', (context) => context.redirect('/docs'));
  serve('/docs', () => html(contentsPage(guidesFor(settings.baseUrl))));
  const errorPages: Partial<Record<Language, FixedText>> = {};
  router.get('/docs/errors', (context) => {
    const language = speakTo(context);
    errorPages[language] ??= html(errorsPage(guidesFor(settings.baseUrl), language));
    return sendPage(context, errorPages[language]);
  });
  for (const name of guideNames) {
    serve(`/docs/guides/${name}`, () => html(guidePage(name, guidesFor(settings.baseUrl))));
  }
  servePictures(router);
  serve('/docs/reference', () => html(referencePage), REFERENCE_POLICY);
  serve(SCRIPT, referenceScripts.bundle);
  serve('/docs/reference/start.js', () => referenceScripts.start);
  return router;
}
