import { html } from 'ghtml';
import type { Context, Middleware } from 'koa';
import { Failure } from '../../shared/kernel/failure.ts';
import type { Language } from '../../shared/kernel/language.ts';
import { languageLink, languageOf } from './kit/language.ts';
import { page } from './layout.ts';
import { pagePolicy } from './policy.ts';

const words: Record<Language, { title: string; sentence: string; docs: string; account: string }> = {
  ja: {
    title: 'ページが見つかりません',
    sentence: 'アドレスが正しいかご確認ください。',
    docs: 'ドキュメント',
    account: 'アカウント',
  },
  en: {
    title: 'There is no such page',
    sentence: 'Check the address.',
    docs: 'Documentation',
    account: 'Your account',
  },
};

/** In a browser a path that leads nowhere is a page; programs, and all below `/api/`, are answered with a problem. */
export const wrongPath: Middleware = async (context, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof Failure) || !isLost(error) || !isBrowser(context)) throw error;
    show(context);
  }
};

function isLost({ code }: Failure): boolean {
  return code === 'no_such_endpoint' || code === 'not_found';
}

function isBrowser(context: Context): boolean {
  const reads = ['GET', 'HEAD'].includes(context.method) && !context.path.startsWith('/api/');
  return reads && context.accepts('application/problem+json', 'json', 'html') === 'html';
}

function show(context: Context): void {
  const language = languageOf(context);
  const { title, sentence, docs, account } = words[language];
  const body = html`<div class="form-page">
<h1>${title}</h1>
<p>${sentence}</p>
<p><a href="/docs">${docs}</a></p>
<p><a href="/account">${account}</a></p>
!${languageLink(context.path, language)}
</div>`;
  context.status = 404;
  context.type = 'text/html';
  context.vary('Accept');
  context.vary('Accept-Language');
  context.set('Cache-Control', 'no-store');
  context.set('Content-Security-Policy', pagePolicy({ 'form-action': "'none'" }));
  context.body = page({ title: `${title} – Business Operations Service`, body, language });
}
