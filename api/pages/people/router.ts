import Router from '@koa/router';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { failureOf } from '../../../shared/db/constraint.ts';
import type { Failure } from '../../../shared/kernel/failure.ts';
import type { ApiContext } from '../../context.ts';
import { accessOf, STRANGER_BYTES } from '../../http/access.ts';
import { optionalSession } from '../../http/authenticate.ts';
import { callerOf } from '../../http/caller.ts';
import { refuseForeignForm } from '../../http/cross-site.ts';
import { statusOf } from '../../http/failure-status.ts';
import { readForm } from '../../http/form.ts';
import { logFault } from '../../http/log-fault.ts';
import { limitRate } from '../../http/rate.ts';
import type { Request } from '../../http/request.ts';
import { stepsOf } from '../../http/steps.ts';
import { withinTime } from '../../http/time-limits.ts';
import { page } from '../layout.ts';
import { languageLinks, troubleTitle } from './fields.ts';
import { formSeal, TOKEN_FIELD } from './guard.ts';
import { pages } from './pages.ts';
import type { Form, FormPage, Go, Language, View, Visit } from './visit.ts';
import { sentenceOf, words } from './words.ts';

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The pages where people sign up and in, accept invitations and manage their keys. They need no JavaScript. */
export function peoplePages(context: ApiContext): Router {
  const router = new Router({ strict: true, sensitive: true });
  for (const each of pages) {
    router.get(each.path, (ctx) => answer(context, each, ctx, (visit) => each.show(visit)));
    if (each.submit) router.post(each.path, (ctx) => answer(context, each, ctx, submitted(each, ctx)));
  }
  return router;
}

type Answering = (visit: Visit) => Promise<View | Go>;

/** Does what the form asks for; one that is refused is shown again with what stood in it. */
function submitted(each: FormPage, ctx: Context): Answering {
  return async (visit) => {
    const request = ctx as unknown as Request;
    const { settings } = visit.steps.context;
    const form = formOf(await readForm(request, STRANGER_BYTES));
    const tokens = { sent: form.get(TOKEN_FIELD), expected: visit.form_token };
    refuseForeignForm(request, tokens, settings.baseUrl);
    try {
      return await each.submit!(visit, form);
    } catch (error) {
      const failure = failureOf(error);
      const status = statusOf(failure);
      if (status >= 500) throw error;
      const shown = await each.show(visit, { failure, form });
      return 'to' in shown ? shown : { status, ...shown };
    }
  };
}

async function answer(
  context: ApiContext,
  { secret = false }: FormPage,
  ctx: Context,
  run: Answering,
): Promise<void> {
  const request = ctx as unknown as Request;
  const language = languageOf(ctx);
  ctx.set({
    'Content-Security-Policy': POLICY,
    'Content-Language': language,
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
    // Without a secret in the path the browser may name this origin with its forms.
    'Referrer-Policy': secret ? 'no-referrer' : 'same-origin',
  });
  ctx.vary('Accept-Language, Cookie');
  try {
    const session = await optionalSession(context, request);
    request.state.credential = session;
    limitRate(context, request, session);
    const caller = callerOf(context, request, accessOf({ scope: 'visitor' }), session);
    const asked = askedLanguage(ctx);
    const seal = formSeal(request, session, context.settings);
    if (seal.cookie) ctx.append('Set-Cookie', seal.cookie);
    const visit: Omit<Visit, 'steps'> = {
      language,
      link: (path) => (asked ? `${path}?lang=${asked}` : path),
      path: ctx.path,
      param: Object.values((ctx as unknown as { params: Record<string, string> }).params)[0] ?? '',
      form_token: seal.token,
      session,
      client: { user_agent: ctx.get('User-Agent') || null, session_id: session?.id ?? null },
    };
    const shown = await withinTime(context.time_limits.handler, (signal) =>
      run({ ...visit, steps: stepsOf(context, request, caller, signal) }),
    );
    send(ctx, language, shown);
  } catch (error) {
    const failure = failureOf(error);
    logFault(context.log, request.state.request_id, failure, context.now());
    send(ctx, language, trouble(failure, language));
  }
}

/** The page for what cannot be shown as asked. */
function trouble(failure: Failure, language: Language): View {
  const title = troubleTitle(failure, language);
  const body = html`<h1>${title}</h1>
<p>${sentenceOf(failure, language)}</p>
<p><a href="/sign-in">${words[language].sign_in}</a></p>`;
  return { status: statusOf(failure), title, body };
}

function send(ctx: Context, language: Language, shown: View | Go): void {
  const { cookies = [] } = shown;
  if (cookies.length > 0) ctx.append('Set-Cookie', cookies);
  if ('to' in shown) {
    ctx.status = 303;
    ctx.set('Location', shown.to);
    return;
  }
  const { status = 200, title, body } = shown;
  ctx.status = status;
  ctx.type = 'text/html';
  const whole = html`<div class="form-page">
!${body}
!${languageLinks(ctx.path, language)}
</div>`;
  ctx.body = page({
    title: `${title} – Business Operations Service`,
    body: whole,
    language,
    home: '/account',
  });
}

function askedLanguage(ctx: Context): Language | null {
  const { lang } = ctx.query;
  return lang === 'ja' || lang === 'en' ? lang : null;
}

/** The language that `?lang=` asks for, else the browser's. */
function languageOf(ctx: Context): Language {
  return askedLanguage(ctx) ?? (ctx.acceptsLanguages('ja', 'en') === 'ja' ? 'ja' : 'en');
}

function formOf(fields: URLSearchParams): Form {
  return {
    has: (name) => fields.has(name),
    get: (name) => fields.get(name) ?? '',
    all: (name) => fields.getAll(name),
  };
}
