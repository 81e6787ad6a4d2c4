import Router from '@koa/router';
import type { Context } from 'koa';
import { failureOf } from '../../../shared/db/constraint.ts';
import type { Failure } from '../../../shared/kernel/failure.ts';
import type { ApiContext } from '../../context.ts';
import { accessOf, STRANGER_BYTES } from '../../http/access.ts';
import { optionalSession } from '../../http/authenticate.ts';
import { callerOf } from '../../http/caller.ts';
import { refuseForeignForm } from '../../http/cross-site.ts';
import { statusOf } from '../../http/failure-status.ts';
import { serveFile } from '../../http/files/serve.ts';
import { readForm } from '../../http/form.ts';
import { readFormTakingFiles } from '../../http/form-taking-files.ts';
import { type FormWithFiles, readFormWithFiles } from '../../http/form-with-files.ts';
import { logFault } from '../../http/log-fault.ts';
import { openLink } from '../../http/open-link.ts';
import { findOrganizationOfPath, sendOn } from '../../http/organization-access.ts';
import { isRead, limitRate } from '../../http/rate.ts';
import type { Request } from '../../http/request.ts';
import { stepsOf } from '../../http/steps.ts';
import { withinTime } from '../../http/time-limits.ts';
import { formSeal, TOKEN_FIELD } from './form-token.ts';
import { askedLanguage, type Language, languageOf, linkIn } from './language.ts';
import {
  type Bare,
  type Form,
  type Go,
  isForGuests,
  type LinkedVisit,
  type Page,
  type Refused,
  type Sent,
  type View,
  type Visit,
  type WayOn,
} from './page.ts';
import { robots, sendBare, sendShown } from './send.ts';
import { trouble } from './trouble.ts';

/** Pages that belong together. */
export type PageGroup = {
  pages: readonly Page[];
  /** Where the name of the service at the top leads; null for nowhere. */
  home: string | null;
  /** Where a person continues whose page cannot be shown, unless the page itself says so. */
  way_on?: WayOn;
};

/** Routes for pages of the kit. They need no JavaScript. */
export function pageRoutes(context: ApiContext, group: PageGroup): Router {
  const router = new Router({ strict: true, sensitive: true });
  for (const each of group.pages) {
    const answer = (ctx: Context, run: Answering) => answerPage({ context, group, page: each, ctx }, run);
    // For every method: a request that the page does not take must not show its token in the log either.
    router.all(each.path, (ctx, next) => {
      (ctx as unknown as Request).state.page_path = each.path;
      return next();
    });
    router.get(each.path, (ctx) => answer(ctx, (visit) => show(each, visit)));
    if (each.submit)
      router.post(each.path, (ctx) => answer(ctx, (visit, taken) => submit(each, ctx, visit, taken)));
  }
  return router;
}

type Asked = { context: ApiContext; group: PageGroup; page: Page; ctx: Context };
type Answer = View | Go | Sent | Bare;
type Answering = (visit: Visit, taken: URLSearchParams | null) => Promise<Answer>;

function show(each: Page, visit: Visit, refused?: Refused): Promise<Answer> {
  return each.opened_by ? each.show(visit as LinkedVisit, refused) : each.show(visit, refused);
}

/** Does what the form asks for; one that is refused is shown again with what stood in it. */
async function submit(
  each: Page,
  ctx: Context,
  visit: Visit,
  taken: URLSearchParams | null,
): Promise<Answer> {
  const arrival = each.arriving?.();
  try {
    return await submitted(each, ctx, { visit, taken, grow: arrival?.grow });
  } finally {
    arrival?.leave();
  }
}

type Submitting = {
  visit: Visit;
  taken: URLSearchParams | null;
  grow: ((bytes: number) => void) | undefined;
};

async function submitted(each: Page, ctx: Context, { visit, taken, grow }: Submitting): Promise<Answer> {
  const request = ctx as unknown as Request;
  const form = formOf(taken ? { fields: taken, files: new Map() } : await readSent(each, request, grow));
  const { baseUrl } = visit.steps.context.settings;
  const tokens = { sent: form.get(TOKEN_FIELD), expected: visit.form_token };
  if (!each.is_for_programs) refuseForeignForm(request, tokens, baseUrl);
  try {
    return await (each.opened_by ? each.submit!(visit as LinkedVisit, form) : each.submit!(visit, form));
  } catch (error) {
    const failure = failureOf(error);
    const status = statusOf(failure);
    // One that may be tried again soon keeps what was entered.
    if (status >= 500 && status !== 503) throw error;
    const { headers } = failure.details;
    if (headers) ctx.set(headers);
    const shown = await show(each, visit, { failure, form });
    return 'title' in shown ? { status, ...shown } : shown;
  }
}

/** Reads a form whose files are taken as they come, which may last longer than a page has to answer. */
async function takenForm(each: Page, request: Request, visit: Visit): Promise<URLSearchParams | null> {
  const { take_file, form_bytes = STRANGER_BYTES, files_bytes = 0 } = each;
  if (!take_file || isRead(request.method)) return null;
  return readFormTakingFiles(request, {
    limit: form_bytes,
    files_limit: files_bytes,
    take: (name, file, before) => {
      const form = formOf({ fields: before, files: new Map() });
      return take_file.call(each, visit as LinkedVisit, { name, file, before: form });
    },
  });
}

async function readSent(
  { form_bytes = STRANGER_BYTES, takes_files, is_for_programs = false }: Page,
  request: Request,
  grow: Submitting['grow'],
): Promise<FormWithFiles> {
  if (is_for_programs && !request.is('urlencoded', 'multipart')) {
    return { fields: new URLSearchParams(), files: new Map() };
  }
  if (takes_files) return readFormWithFiles(request, form_bytes, grow);
  return { fields: await readForm(request, form_bytes), files: new Map() };
}

async function answerPage(asked: Asked, run: Answering): Promise<void> {
  const { context, group, page: each, ctx } = asked;
  const request = ctx as unknown as Request;
  const language = languageOf(ctx);
  ctx.set({
    'Content-Language': language,
    'Cache-Control': 'no-store',
    ...robots(each),
    // Without a secret in the path the browser may name this origin with its forms.
    'Referrer-Policy': each.opened_by ? 'no-referrer' : 'same-origin',
  });
  ctx.vary(isForGuests(each) ? 'Accept-Language' : 'Accept-Language, Cookie');
  try {
    const visit = await visitOf(asked, request, language);
    if (sendOn(request)) return;
    const caller = callerOf(context, request, accessOf({ scope: 'visitor' }), visit.session);
    const steps = (signal: AbortSignal) => stepsOf(context, request, caller, () => signal, each.hears);
    const departed = new AbortController();
    const taken = await takenForm(each, request, { ...visit, steps: steps(departed.signal) });
    const shown = await withinTime(context.time_limits.handler, (signal) =>
      run({ ...visit, steps: steps(signal) }, taken),
    );
    if ('file' in shown) await sendFile(asked, request, shown);
    else if ('content' in shown) sendBare(ctx, shown);
    else sendShown(ctx, shown, { language, home: group.home });
  } catch (error) {
    const failure = failureOf(error);
    logFault(context.log, request.state.request_id, failure, context.now());
    const { headers } = failure.details;
    if (headers) ctx.set(headers);
    const advice = adviceOn(failure, asked, language);
    const shown = trouble(failure, language, { way_on: wayOn(asked), advice });
    sendShown(ctx, shown, { language, home: group.home });
  }
}

/** Who is at the page: their session or none, the link of its path, and the seal of its forms. Errors: `rate_limited`, and
 * what the link's purpose refuses with; `not_found`. */
async function visitOf(
  { context, page: each, ctx }: Asked,
  request: Request,
  language: Language,
): Promise<Omit<Visit, 'steps'>> {
  const { opened_by } = each;
  const { params } = ctx as unknown as { params: Record<string, string> };
  const param = Object.values(params)[0] ?? '';
  const session = isForGuests(each) ? null : await optionalSession(context, request);
  request.state.credential = session;
  const opened = opened_by
    ? await openLink(context, {
        ...opened_by,
        token: param,
        ip_address: request.ip,
        is_read: isRead(request.method),
      })
    : null;
  if (opened) request.state.link = opened;
  if (!opened_by && each.of_organization) await findOrganizationOfPath(context, request);
  limitRate(context, request, opened ? null : session);
  return {
    language,
    asked_language: askedLanguage(ctx),
    link: (path) => linkIn(askedLanguage(ctx), path),
    is_head: ctx.method === 'HEAD',
    path: ctx.path,
    query: (name) => new URLSearchParams(ctx.querystring).get(name) ?? '',
    param,
    params,
    opened,
    form_token: isForGuests(each) ? null : sealForms(context, request, ctx),
    session,
    client: { user_agent: ctx.get('User-Agent') || null, session_id: session?.id ?? null },
  };
}

function sealForms({ settings }: ApiContext, request: Request, ctx: Context): string {
  const seal = formSeal(request, request.state.credential ?? null, settings);
  if (seal.cookie) ctx.append('Set-Cookie', seal.cookie);
  return seal.token;
}

/** A link that opens nothing has ended; what else fails passes. */
function adviceOn(failure: Failure, { page: { opened_by } }: Asked, language: Language): string | undefined {
  return statusOf(failure) === 404 ? opened_by?.advice?.[language] : undefined;
}

function wayOn({ group, page: { opened_by }, ctx }: Asked): (WayOn & { href: string }) | undefined {
  const way_on = opened_by?.way_on ?? group.way_on;
  return way_on && { ...way_on, href: linkIn(askedLanguage(ctx), way_on.path) };
}

/** A file has no language of its own. */
async function sendFile({ context, ctx }: Asked, request: Request, { file }: Sent): Promise<void> {
  const language = ctx.response.get('Content-Language');
  ctx.remove('Content-Language');
  try {
    await serveFile(context, request, file);
  } catch (error) {
    ctx.set('Content-Language', language);
    throw error;
  }
}

function formOf({ fields, files }: FormWithFiles): Form {
  return {
    has: (name) => fields.has(name),
    get: (name) => fields.get(name) ?? '',
    all: (name) => fields.getAll(name),
    file: (name) => files.get(name) ?? null,
  };
}
