import type { z } from 'zod';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import type { Language } from '../../shared/kernel/language.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import type { Bookkeeping } from '../../shared/platform/bookkeeping.ts';
import type { Link } from '../../shared/platform/links/links.ts';
import type { MailLimits } from '../../shared/platform/mailer/mail-limits.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import type { SealSettings } from '../../shared/platform/settings/settings.ts';
import type { Tallies } from '../../shared/platform/tallies/tallies.ts';
import type { AccessDeclaration } from './access.ts';

type Schema = z.ZodType;

/** What a schema parses to; undefined where the endpoint declares none. */
export type Parsed<S> = S extends Schema ? z.output<S> : undefined;

export type AnyParams = z.ZodObject | undefined;
export type AnySchema = Schema | undefined;

export type Input<Params, Query, Body> = {
  params: Parsed<Params>;
  query: Parsed<Query>;
  body: Parsed<Body>;
  /** The version of the API that the answer will be given in. */
  version: string;
  /** The language that the caller prefers. */
  language: Language;
  /** The caller's own address and browser, for sessions that an answer opens, and the session it came with. */
  client: { ip_address: string; user_agent: string | null; session_id: string | null };
  /** The link that a guest came with; null for calls with another access. */
  link: Link | null;
  /** The browser's cookies, for links whose page sets one; null where there are none, or the page of another site calls. */
  cookies: string | null;
  /** What the settings allow the organization to mail by hand. */
  mail_limits: MailLimits;
  /** Whether mails leave by a mail server; else they stand in the local mailbox. */
  has_mail_server: boolean;
  /** Bytes that the settings allow an organization to keep in the cloud; 0 for no bound. */
  cloud_quota_bytes: number;
  /** Where the service is reached, for the addresses of its pages. */
  base_url: string;
  /** How services outside are called, and what opens their secrets. */
  outside: OutsideServices;
  /** What the settings say about the seals of signed documents. */
  seal: SealSettings;
  /** What keeps the books of what operations do. */
  bookkeeping: Bookkeeping;
  /** What counts in memory what is read a little later. */
  tallies: Tallies;
};

/** An answer that differs from the declared one in its status or headers, with the same body schema. */
export class Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, string | string[]>;

  constructor(status: number, body: Body, headers: Record<string, string | string[]> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Whether a handler answered more than a body. */
export function isAnswer(handled: unknown): handled is Answer<unknown> {
  return handled instanceof Answer;
}

/** A guest before the form of the request is known. */
export type AskingGuest = { link: Link; cookies: string | null; base_url: string; is_repeated: boolean };

/** A header as the reference tells it. */
export type HeaderWords = { description: string; example: string };

/**
 * What a call takes: bytes, and members and elements of all its objects and arrays together. `check` refuses a body before its
 * form is looked at: where many values are taken, each wrong one would cost a fault of its own.
 */
export type BodyLimits = { bytes: number; values: number; check?: (body: unknown) => void };

/** What every kind of endpoint declares. */
export type Described<Params, Query> = AccessDeclaration & {
  /** `<domain>.<resource>.<what>`: the operation's name in the OpenAPI text, the metrics and the log. */
  id: string;
  /** From the root, with `:id` for parameters. */
  path: string;
  summary: string;
  description?: string;
  params?: Params;
  query?: Query;
  /**
   * The page that browsers are sent to which prefer HTML, with parameters of its own path; null for none. A link's page unless
   * said.
   */
  page?: string | null;
  /** Request headers that it hears beside those of all calls, by their names. */
  hears?: Record<string, HeaderWords>;
  /** Limits of its JSON body where they differ from those of its access. */
  body_limits?: Partial<BodyLimits>;
  /** Whether requests are not counted against the limits of a caller: those of another service, which come for everybody. */
  is_unlimited?: true;
  /**
   * Refuses a guest by the state of what the link opens, before anybody looks at the form of the request. `is_repeated`: an
   * earlier request with its Idempotency-Key was answered, and this one will be answered the same.
   */
  admits?: (guest: AskingGuest, reader: Reader) => Promise<void>;
  /**
   * The origins of other sites whose scripts may make the call, without credentials, by the parameters of its path; a site that
   * is not among them gets an answer that its browser does not show to scripts.
   */
  allows_origins?: (params: Record<string, string>, reader: Reader) => Promise<readonly string[]>;
  /** Codes beyond those that follow from the declaration itself (credentials, scope, form, limits). */
  raises?: readonly FailureCode[];
};

/** What every kind of endpoint that answers JSON declares. */
export type Declaration<Params, Query, Reply extends Schema> = Described<Params, Query> & {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  reply: Reply;
  /** What the example of its answer shows in the place of what its schema's example has, member by member. */
  example?: Record<string, Record<string, unknown>>;
  /** Other statuses that it may answer with the same body: 301 for a record that was merged into another, 308 for one with another address. */
  also?: readonly (200 | 201 | 202 | 301 | 303 | 308)[];
};

/** What a handler of JSON answers: the body, or the body with another status or headers. */
export type Handled<Reply extends Schema> = Promise<z.input<Reply> | Answer<z.input<Reply>>>;
