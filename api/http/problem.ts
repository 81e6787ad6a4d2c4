import type { Middleware } from 'koa';
import { failureOf } from '../../shared/db/constraint.ts';
import { failures, shownCode } from '../../shared/domains.ts';
import type { Failure, FieldError } from '../../shared/kernel/failure.ts';
import type { Language } from '../../shared/kernel/language.ts';
import type { ApiContext } from '../context.ts';
import { statusOf } from './failure-status.ts';
import { speakTo } from './language.ts';
import { logFault } from './log-fault.ts';
import type { Request } from './request.ts';

/** The body of an error, by RFC 9457, in one language. */
export function problemOf(failure: Failure, request_id: string, language: Language) {
  const { code, details } = failure;
  const { title, status, help } = failures[code];
  return {
    type: `/docs/errors#${code}`,
    title: title[language],
    status,
    code: shownCode(code),
    detail: (details.detail ?? help)[language],
    ...(details.errors && { errors: details.errors.map((fault) => shownFault(fault, language)) }),
    ...details.members,
    request_id,
  };
}

function shownFault(fault: FieldError, language: Language) {
  return { ...fault, message: fault.message[language] };
}

/** Turns thrown errors into problems. Unexpected ones are logged in full; the caller sees only `internal_error`. */
export function problems({ log, now }: ApiContext): Middleware {
  return async function answerProblem(context, next) {
    const request = context as unknown as Request;
    try {
      await next();
    } catch (error) {
      const failure = failureOf(error);
      logFault(log, request.state.request_id, failure, now());
      answer(request, failure);
    }
  };
}

function answer(request: Request, failure: Failure): void {
  const { headers } = failure.details;
  request.status = statusOf(failure);
  request.type = 'application/problem+json';
  if (request.status === 401) request.set('WWW-Authenticate', 'Bearer');
  const scope = failure.details.members?.['required_scope'];
  if (scope !== undefined && request.state.credential?.kind === 'api_key') {
    // RFC 6750, 3.1: which scope a token would need.
    request.set('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
  }
  if (headers) request.set(headers);
  request.body = JSON.stringify(problemOf(failure, request.state.request_id, speakTo(request)));
}
