import { Failure } from '../../kernel/failure.ts';
import { MOST_TOGETHER } from './jobs.ts';
import type { Inbound } from './keep.ts';
import { eventOfSendGrid } from './sendgrid.ts';
import { eventOfSes } from './ses.ts';

/**
 * What a mail service tells in JSON: Amazon SES one object, SendGrid a list of events. `parse` reads the JSON of the body, and
 * that within it. Errors: those of `parse`; `validation_failed` for a list that is empty or too long.
 */
export function inboundOfJson(text: string, parse: (text: string) => unknown): Inbound[] {
  const value = parse(text);
  if (!Array.isArray(value)) return [inboundOf(value, eventOfSes(value, parse), identityOfSes(value))];
  if (value.length === 0 || value.length > MOST_TOGETHER) throw tooMany();
  return value.map((event) => inboundOf(event, eventOfSendGrid(event), identityOfSendGrid(event)));
}

function inboundOf(value: unknown, event: Inbound['event'], identity: string): Inbound {
  return { content: Buffer.from(JSON.stringify(value) ?? ''), event, identity };
}

/** SNS sends one message again under other headers of its own. */
function identityOfSes(value: unknown): string {
  const { Message } = (value ?? {}) as { Message?: unknown };
  return `ses ${typeof Message === 'string' ? Message : JSON.stringify(value)}`;
}

function identityOfSendGrid(value: unknown): string {
  const { sg_event_id } = (value ?? {}) as { sg_event_id?: unknown };
  return `sendgrid ${typeof sg_event_id === 'string' ? sg_event_id : JSON.stringify(value)}`;
}

function tooMany(): Failure {
  const message = {
    en: `must have 1 to ${MOST_TOGETHER} events`,
    ja: `イベントは1〜${MOST_TOGETHER}件で送信してください`,
  };
  return new Failure('validation_failed', {
    errors: [{ in: 'body', path: '', code: 'out_of_range', message }],
  });
}
