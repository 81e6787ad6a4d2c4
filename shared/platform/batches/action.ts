import type { z } from 'zod';
import type { Scope } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import type { Bookkeeping } from '../bookkeeping.ts';
import type { MailLimits } from '../mailer/mail-limits.ts';
import type { SealSettings } from '../settings/settings.ts';

/** What an action is told beside its record and its body. */
export type Given = { mail_limits: MailLimits; bookkeeping: Bookkeeping; seal: SealSettings };

/**
 * One thing that is done to one record: `POST {collection}/{id}/{action}` does it to the record of its path, and a batch
 * to many. Both take scope, body and status from here, so a batch does what the single calls would do.
 */
export type RecordAction<Body extends z.ZodType | undefined = z.ZodType | undefined, Result = unknown> = {
  scope: Scope;
  /** The status of success; 200 where absent. */
  status?: 200 | 201 | 202;
  /** What the body of the call takes: an object. What it parses to can be written as JSON, and parses to the same again. */
  body?: Body;
  act(
    work: Work,
    id: string,
    body: Body extends z.ZodType ? z.output<Body> : undefined,
    given: Given,
  ): Promise<Result>;
};

/** Actions by the last word of their single calls' paths. */
export type RecordActions = Readonly<Record<string, RecordAction>>;

/** Declares an action. */
export function recordAction<Result, Body extends z.ZodType | undefined = undefined>(
  declared: RecordAction<Body, Result>,
): RecordAction<Body, Result> {
  return declared;
}
