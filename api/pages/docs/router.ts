import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Router from '@koa/router';
import type { Language } from '../../../shared/kernel/language.ts';
import type { ApiContext } from '../../context.ts';
import { openApi } from '../../openapi.ts';
import { type FixedText, fixedText, sendPage, sendText } from '../answer.ts';
import { askedLanguage } from '../kit/language.ts';
import { STYLESHEET } from '../layout.ts';
import { LIVE_SCRIPT, liveScript } from '../live.ts';
import { pagePolicy } from '../policy.ts';
import { ZONE_SCRIPT, zoneScript } from '../time-zone.ts';
import { contentsPage, guidePage } from './contents.ts';
import { COPY_SCRIPT, copyText } from './copy.ts';
import { errorsPage } from './errors.ts';
import { type Guide, guideNames, guidesFor } from './guides.ts';
import { japaneseOpenApi } from './japanese/text.ts';
import { servePictures } from './pictures.ts';
import { kindOf, type Reader, readerOf } from './reader.ts';
import { REFERENCE_POLICY, referenceScripts, SCRIPT } from './reference.ts';
import { referencePage } from './reference-page.ts';

const stylesheet = ['base', 'text', 'forms', 'account', 'shares', 'booking', 'sign', 'questions', 'mail']
  .map((part) => readFileSync(resolve(import.meta.dirname, `../style/${part}.css`), 'utf8'))
  .join('\n');

/** What a page of the documentation may load besides its stylesheet: the script that copies samples. */
const POLICY = pagePolicy({ 'script-src': "'self'" });

const openApiIn: Readonly<Record<Language, () => object>> = { en: openApi, ja: japaneseOpenApi };

type Make = (guides: readonly Guide[], reader: Reader) => string;

/** The text about the API, for people and for programs; it needs no credentials and is the same for everybody. */
export function docs({ settings }: ApiContext): Router {
  const router = new Router({ sensitive: true });
  const serve = (path: string, make: () => FixedText) => {
    let fixed: FixedText | undefined;
    router.get(path, (context) => {
      fixed ??= make();
      return sendText(context, fixed);
    });
  };
  const guides: Record<string, Guide[]> = {};
  // Made once for each kind of readers.
  const show = (path: string, make: Make, policy = POLICY) => {
    const made: Record<string, FixedText> = {};
    router.get(path, (context) => {
      const reader = readerOf(context);
      const kind = kindOf(reader);
      guides[kind] ??= guidesFor(settings.baseUrl, reader);
      made[kind] ??= fixedText('text/html', make(guides[kind], reader));
      return sendPage(context, made[kind], policy);
    });
  };

  const texts: Partial<Record<Language, FixedText>> = {};
  router.get('/openapi.json', (context) => {
    // Programs are made from the English text, so a browser's language alone does not change it.
    const language = askedLanguage(context) ?? 'en';
    texts[language] ??= fixedText('application/json', JSON.stringify(openApiIn[language]()));
    return sendText(context, texts[language]);
  });
  serve(STYLESHEET, () => fixedText('text/css', stylesheet));
  serve(ZONE_SCRIPT, () => zoneScript);
  serve(COPY_SCRIPT, () => copyText);
  serve(LIVE_SCRIPT, () => liveScript);
  router.get('/', (context) => context.redirect(`/docs${context.search}`));
  show('/docs', contentsPage);
  show('/docs/errors', errorsPage);
  for (const name of guideNames) {
    show(`/docs/guides/${name}`, (read, reader) => guidePage(name, read, reader));
  }
  servePictures(router);
  show('/docs/reference', referencePage, REFERENCE_POLICY);
  serve(SCRIPT, referenceScripts.bundle);
  serve('/docs/reference/start.js', () => referenceScripts.start);
  return router;
}
