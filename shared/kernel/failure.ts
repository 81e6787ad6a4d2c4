import { type FailureCode, kernelFailures } from './failures.ts';
import { joined, sameText, type Text } from './language.ts';
import type { Trouble } from './trouble.ts';

/** One fault of a request: where it is (`path` is a JSON pointer, or the name of a parameter) and what is wrong. */
export type FieldError = {
  in: 'body' | 'query' | 'path' | 'header';
  path: string;
  code: string;
  message: Text;
};

/** What every problem has (RFC 9457, and `code`, `errors`, `request_id`): no fact beside them may take its name. */
type StandardMember = 'type' | 'title' | 'status' | 'detail' | 'code' | 'errors' | 'request_id';

export type FailureDetails = {
  /** A sentence for the caller. The code's own help stands in when absent. */
  detail?: Text;
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** Facts for programs, beside the standard members: the current status, the survivor of a merge. */
  members?: Record<string, unknown> & { [Standard in StandardMember]?: never };
  /** What the log should hold, never shown to the caller. */
  cause?: unknown;
  /** With `unavailable`: what refuses, for the log and operators; never shown to the caller. */
  trouble?: Trouble;
  /** With `unavailable`: nothing is away, as where the process ends at its time. The log holds no outage then. */
  is_expected?: true;
};

/**
 * A refusal with a code of the table of failures, where the API finds its status and title (shared/domains.ts).
 * Everything in it may be shown to the caller, in the caller's language, but `cause` and `trouble`. `message` is for the
 * log, in English.
 */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: FailureDetails;

  constructor(code: FailureCode, details: FailureDetails = {}) {
    super(details.detail?.en ?? titleOf(code), { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }
}

/** The title of a code of the kernel; codes of others stand for themselves in the log. */
function titleOf(code: string): string {
  const known: Readonly<Record<string, { title: Text }>> = kernelFailures;
  return known[code]?.title.en ?? code;
}

/** The record of the request's path does not exist in the organization: 404. */
export function notFound(): Failure {
  return new Failure('not_found');
}

/**
 * A member of the body refers to a record that does not exist in the organization: 422 at `path`, for example
 * `/company_id`. `what` begins the sentence of the message: the ID that was sent, or the kind of record where the ID is
 * not at hand (`{ en: 'The company', ja: '取引先' }`). A literal in one language alone is refused by the type.
 */
export function unknownReference<Sent extends string>(
  path: string,
  what: Text | (string extends Sent ? Sent : never),
): Failure {
  const { en, ja }: Text = typeof what === 'string' ? sameText(what) : what;
  const message = {
    en: `${en} does not exist in this organization`,
    ja: `${ja} はこの組織に存在しません`,
  };
  return new Failure('unknown_reference', {
    detail: joined([sameText(path.slice(1)), message], ': '),
    errors: [{ in: 'body', path, code: 'unknown_reference', message }],
  });
}

/** A fault of the body found after parsing, by a rule that needs more than the schema: 422 at its place. */
export function invalid(path: string, code: string, message: Text): Failure {
  return invalidAll([{ in: 'body', path, code, message }]);
}

/** Errors that one answer lists: it must not be larger than the body that it answers. */
export const MOST_FIELD_ERRORS = 100;

/** What checks refuse as `validation_failed`, all of them together; throws what else one of them fails with. */
export function faultsOf(...checks: readonly (() => unknown)[]): FieldError[] {
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof Failure && error.code === 'validation_failed') return error.details.errors ?? [];
      throw error;
    }
  });
}

/** Several field errors at once, of which the first 100 are listed; the first one becomes the sentence. */
export function invalidAll(errors: FieldError[]): Failure {
  return new Failure('validation_failed', {
    detail: errors[0]?.message,
    errors: errors.slice(0, MOST_FIELD_ERRORS),
  });
}
