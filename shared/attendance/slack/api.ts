import { accountEmail } from '../../platform/access/names.ts';
import type { OutsideAnswer } from '../../platform/outside/call.ts';
import { OutsideFailure } from '../../platform/outside/failure.ts';
import type { OutsideServices } from '../../platform/outside/open.ts';
import { reasonsOfAttendance } from '../failure-reasons.ts';

/** Slack says no, by its word for the reason. Nothing was done. */
export class SlackRefusal extends Error {
  override name = 'SlackRefusal';
  /** As in Slack's reference of the method: `users_not_found`, `invalid_auth`, ... */
  readonly code: string;

  constructor(code: string) {
    super(reasonsOfAttendance.slack_refuses(code).en);
    this.code = code;
  }
}

/** Slack asks to wait (429). Nothing was done. */
export class SlackBusy extends Error {
  override name = 'SlackBusy';
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(reasonsOfAttendance.slack_waits().en);
    this.milliseconds = milliseconds;
  }
}

/** Slack could not be asked, or its answer was none that its reference knows. */
export class SlackTrouble extends Error {
  override name = 'SlackTrouble';
  /** Whether the call may have been done all the same. */
  readonly may_be_done: boolean;

  constructor(message: string, may_be_done: boolean) {
    super(message);
    this.may_be_done = may_be_done;
  }
}

/** A person of a workspace. `email`, in lower case, is null where they have none, or the token may not see it. */
export type SlackPerson = { id: string; email: string | null };

/** The calls of Slack's Web API that invitations need. Errors of each: `SlackRefusal`, `SlackBusy`, `SlackTrouble`. */
export type Slack = {
  /** The name of the workspace of the token. */
  team(): Promise<string>;
  /** Who has an address; null for nobody who can be written to. */
  personByEmail(email: string): Promise<SlackPerson | null>;
  /** Who has an ID; null for nobody who can be written to. */
  personById(id: string): Promise<SlackPerson | null>;
  /** The direct messages to somebody; opening them again answers the same. Null where nobody may write to them. */
  channelTo(user_id: string): Promise<string | null>;
  /** Writes one message. */
  post(channel: string, text: string): Promise<void>;
};

type Answer = { ok: boolean; error?: string } & Record<string, unknown>;

/** One call may take so long, and answer so much. */
const TIME_LIMIT = 15_000;
const MOST_BYTES = 1_000_000;

/** Words of Slack for somebody who is not there, or cannot be written to. */
const NOBODY = new Set([
  'users_not_found',
  'user_not_found',
  'user_not_visible',
  'user_disabled',
  'cannot_dm_bot',
]);

/** Words of Slack for a token that will work no more, or may not do what invitations need. */
const TOKEN_REFUSED = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'no_permission',
  'org_login_required',
  'not_allowed_token_type',
  'missing_scope',
]);

/** Whether Slack has refused the token itself: nothing works before there is another one. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof SlackRefusal && TOKEN_REFUSED.has(error.code);
}

/** Slack as a token may use it. */
export function slackOf({ call, slack_url }: OutsideServices, token: string, signal?: AbortSignal): Slack {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
  const bounds = { time_limit: TIME_LIMIT, most_bytes: MOST_BYTES, ...(signal ? { signal } : {}) };

  /** Methods that only read take their arguments in the query, the others as JSON. */
  function send(method: string, words: Record<string, string>, isReading: boolean): Promise<OutsideAnswer> {
    const url = `${slack_url}/${method}`;
    if (isReading) {
      return call({ url: `${url}?${new URLSearchParams(words)}`, method: 'GET', headers, ...bounds });
    }
    const typed = { ...headers, 'Content-Type': 'application/json; charset=utf-8' };
    return call({ url, method: 'POST', headers: typed, body: JSON.stringify(words), ...bounds });
  }

  async function ask(method: string, words: Record<string, string>, isReading: boolean): Promise<Answer> {
    const answer = await send(method, words, isReading).catch((error: unknown) => {
      if (!(error instanceof OutsideFailure)) throw error;
      throw new SlackTrouble(reasonsOfAttendance.slack_failed(error.message).en, error.may_have_arrived);
    });
    if (answer.status === 429) throw new SlackBusy(pauseIn(answer.headers['retry-after']));
    if (answer.status !== 200) {
      throw new SlackTrouble(reasonsOfAttendance.slack_answers(answer.status).en, true);
    }
    return readAnswer(answer.body);
  }

  const personIn = async (method: string, words: Record<string, string>): Promise<SlackPerson | null> => {
    const answer = await ask(method, words, true).catch(nobody);
    return answer === null ? null : personOf(answer['user']);
  };

  return {
    team: async () => textIn(await ask('auth.test', {}, false), 'team'),
    personByEmail: (email) => personIn('users.lookupByEmail', { email }),
    personById: (user) => personIn('users.info', { user }),
    channelTo: async (users) => {
      const answer = await ask('conversations.open', { users }, false).catch(nobody);
      return answer === null ? null : textIn(answer['channel'], 'id');
    },
    post: async (channel, text) => {
      await ask('chat.postMessage', { channel, text }, false);
    },
  };
}

function nobody(error: unknown): null {
  if (error instanceof SlackRefusal && NOBODY.has(error.code)) return null;
  throw error;
}

/** Errors: `SlackRefusal`, `SlackBusy`, `SlackTrouble`. */
function readAnswer(body: Buffer): Answer {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString('utf8'));
  } catch {
    throw notUnderstood();
  }
  const { ok, error } = (answer ?? {}) as Answer;
  if (ok === true) return answer as Answer;
  if (ok !== false || typeof error !== 'string') throw notUnderstood();
  if (error === 'ratelimited' || error === 'rate_limited') throw new SlackBusy(pauseIn(undefined));
  // After these the message may stand there all the same.
  if (error === 'internal_error' || error === 'fatal_error') {
    throw new SlackTrouble(reasonsOfAttendance.slack_failed(error).en, true);
  }
  throw new SlackRefusal(error);
}

/** Milliseconds from a Retry-After in seconds: half a minute unless said, an hour at most. */
function pauseIn(header: string | undefined): number {
  const seconds = /^\d{1,6}$/.test(header ?? '') ? Number(header) : 30;
  return Math.min(Math.max(seconds, 1), 3_600) * 1_000;
}

function personOf(user: unknown): SlackPerson | null {
  const { deleted, is_bot, profile } = (user ?? {}) as Record<string, unknown>;
  if (deleted === true || is_bot === true) return null;
  const { email } = (profile ?? {}) as Record<string, unknown>;
  return { id: textIn(user, 'id'), email: accountEmail().safeParse(email).data ?? null };
}

function textIn(value: unknown, name: string): string {
  const text = ((value ?? {}) as Record<string, unknown>)[name];
  if (typeof text !== 'string' || text === '') throw notUnderstood();
  return text;
}

function notUnderstood(): SlackTrouble {
  return new SlackTrouble(reasonsOfAttendance.slack_not_understood().en, true);
}
