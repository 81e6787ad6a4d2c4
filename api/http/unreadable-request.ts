import { STATUS_CODES } from 'node:http';
import { Failure, type FailureDetails } from '../../shared/kernel/failure.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { ApiContext } from '../context.ts';
import { statusOf } from './failure-status.ts';
import { problemOf } from './problem.ts';
import { securityHeaders } from './security-headers.ts';

/** The reason for which a connection beyond those that one address may hold is refused. */
export const TOO_MANY_CONNECTIONS = 'TOO_MANY_CONNECTIONS';

/** The failures of the reasons that say more than that the parser could not read on; most are codes of Node's parser. */
const FAILURES: Record<string, [code: FailureCode, details?: FailureDetails]> = {
  HPE_HEADER_OVERFLOW: ['header_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout'],
  [TOO_MANY_CONNECTIONS]: [
    'rate_limited',
    {
      detail: {
        en: 'Your address holds as many connections as it may at a time: close some, or send requests one after another',
        ja: 'お使いのアドレスからの同時接続数が上限に達しています。接続を閉じるか、リクエストを順番に送信してください',
      },
      headers: { 'Retry-After': '1' },
    },
  ],
};

/**
 * The answer to what is too broken, too large or too slow to become a request: it reaches none of the application, and
 * has the form of all other errors. The address in the log is that of the connection, which may be a proxy's.
 * Answers the bytes of the whole answer, after which the connection ends.
 */
export function unreadableAnswer(
  context: ApiContext,
): (reason: string | undefined, address: string | undefined) => string {
  const { log, versions, now } = context;
  return (reason = '', address) => {
    const [code, details] = FAILURES[reason] ?? ['malformed_request'];
    const failure = new Failure(code, details);
    const status = statusOf(failure);
    const request_id = newId('req', now());
    // The header was not read, so the language of the caller is not known.
    const body = JSON.stringify(problemOf(failure, request_id, 'en'));
    const headers = {
      ...securityHeaders(context),
      'Request-Id': request_id,
      'Service-Version': versions.latest,
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
      ...failure.details.headers,
    };
    log.info({ request_id, endpoint: 'none', status, address, reason });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
  };
}
