import { Failure } from '../../../shared/kernel/failure.ts';
import type { ApiContext } from '../../context.ts';
import { isAnswer } from '../declaration.ts';
import { answerOf, type Call, type Ran } from '../run-endpoint.ts';
import { stepsOf } from '../steps.ts';
import { arrivingBytes } from './arriving.ts';
import type { ArrivingBody, Transfer, TransferEndpoint } from './declarations.ts';

/**
 * Answers a call whose body is bytes that the handler takes as they come. It holds no connection meanwhile: each of its
 * steps has the time of a handler, and the body may take as long as its sender does not fall silent.
 */
export async function runTransfer(
  context: ApiContext,
  endpoint: TransferEndpoint,
  { input, caller, request }: Call,
): Promise<Ran> {
  const time = () => AbortSignal.timeout(context.time_limits.handler);
  const transfer: Transfer = {
    ...stepsOf(context, request, caller, time, Object.keys(endpoint.hears ?? {})),
    body: endpoint.takes ? bodyOf(endpoint.takes, request) : null,
  };
  const result = await endpoint.handle(input, transfer);
  const { reply } = endpoint;
  if (reply) return { answer: answerOf({ ...endpoint, reply }, result), replayed: false };
  const { status = endpoint.status, headers = {} } = isAnswer(result) ? result : {};
  return { bare: { status, headers } };
}

/** Errors: `unsupported_media_type`. */
function bodyOf(
  { media_types }: NonNullable<TransferEndpoint['takes']>,
  request: Call['request'],
): ArrivingBody {
  const { headers } = request;
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  const isSent = headers['transfer-encoding'] !== undefined || (length ?? 0) > 0;
  const [media_type = ''] = (headers['content-type'] ?? '').toLowerCase().split(/ *;/);
  const encoding = headers['content-encoding'];
  if (isSent && encoding !== undefined && encoding !== 'identity') {
    throw new Failure('unsupported_media_type', {
      detail: {
        en: 'Send the body without a content encoding',
        ja: '本文は圧縮などをせずに送信してください',
      },
    });
  }
  if (isSent && media_types && !media_types.some((one) => one === media_type)) {
    throw new Failure('unsupported_media_type', {
      detail: {
        en: `Send the body as ${media_types.join(' or ')}`,
        ja: `本文は ${media_types.join('、')} として送信してください`,
      },
    });
  }
  return { bytes: arrivingBytes(request), length: isSent ? length : 0, media_type: media_type || null };
}
