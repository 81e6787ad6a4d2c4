import { STATUS_CODES } from 'node:http';
import { Failure } from '../../shared/kernel/failure.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { ApiContext } from '../context.ts';
import { commonHeaders } from './envelope.ts';
import { problemOf } from './problem.ts';

/** What Node's parser says, where it is more than that it could not read on. */
const CODES: Record<string, FailureCode> = {
  HPE_HEADER_OVERFLOW: 'header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * The answer to what is too broken, too large or too slow to become a request: it reaches none of the application, and
 * is told in the form of all other errors. Answers the bytes of the whole answer, after which the connection ends.
 */
export function unreadableAnswer(context: ApiContext): (reason: string | undefined) => string {
  const { log, versions, now } = context;
  return (reason = '') => {
    const failure = new Failure(CODES[reason] ?? 'malformed_request');
    const request_id = newId('req', now());
    const body = JSON.stringify(problemOf(failure, request_id));
    const headers = {
      ...commonHeaders(context),
      'Request-Id': request_id,
      'Service-Version': versions.latest,
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    };
    log.info({ request_id, endpoint: 'none', status: failure.status, reason });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`, ...lines, '', body].join('\r\n');
  };
}
