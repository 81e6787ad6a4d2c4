import type { Failure } from '../../../shared/kernel/failure.ts';
import type { ArrivingFile } from '../../../shared/platform/intake/take-file.ts';
import type { Link } from '../../../shared/platform/links/links.ts';
import type { LinkPurpose } from '../../../shared/platform/links/purpose.ts';
import type { Credential } from '../../http/credential.ts';
import type { ServedFile } from '../../http/files/declarations.ts';
import type { Steps } from '../../http/steps.ts';
import type { PagePolicy } from '../policy.ts';
import type { Language } from './language.ts';

/** What a form sent: the value of each field, all values of those that may be sent several times, and its files. */
export type Form = {
  has(name: string): boolean;
  get(name: string): string;
  all(name: string): string[];
  /** The bytes of a file; null where none was chosen. */
  file(name: string): Buffer | null;
};

/** A person at a page. */
export type Visit = {
  language: Language;
  /** The language that `lang` asked for; null where the browser's stands in for it. */
  asked_language: Language | null;
  /** The path of another page in the language that was asked for. */
  link(path: string): string;
  /** Whether the head of the answer alone is asked for. */
  is_head: boolean;
  /** The path of this page, as it was sent. */
  path: string;
  /** A parameter of the query; empty where it is not there. */
  query(name: string): string;
  /** The first part of the path that a page has for its own: a token, an ID. */
  param: string;
  /** All those parts, by the names that the page's path gives them. */
  params: Readonly<Record<string, string>>;
  /** The link that the page was opened with; null for a page without a token. */
  opened: Link | null;
  /** What each form of the page sends back, to prove that it is of this page; null where the link's token proves it. */
  form_token: string | null;
  /** Their session; null for who is not signed in, and on pages of guests. */
  session: Credential | null;
  client: { user_agent: string | null; session_id: string | null };
  steps: Steps;
};

/** A visit to a page that a link opens. */
export type LinkedVisit = Visit & { opened: Link };

/** A form that was refused, to be shown again with what stood in it. */
export type Refused = { failure: Failure; form: Form };

/**
 * A page to show, its body as HTML, escaped already; `policy` is what it needs beyond the kit's own. `rows` follow the body
 * and are made while they are sent, where there may be too many to be held.
 */
export type View = {
  status?: number;
  title: string;
  body: string;
  rows?: AsyncIterable<string>;
  cookies?: string[];
  policy?: PagePolicy;
  /** The language of the page where it is not the visit's. */
  language?: Language;
  /** The parameters that the link to the other language keeps. */
  kept?: Record<string, string>;
  /** Whether it takes all of the width there is; others of members are a card in the middle of a wide screen. */
  is_wide?: true;
  /** False where search engines may not list it though they may its page: it is for one person. */
  is_indexed?: false;
  /** Who speaks to the visitor where it is not the service. */
  frame?: Frame;
};

/** A page of somebody else: their name in the place of the service's, and what the head has beyond the kit's own, as HTML. */
export type Frame = { name: string; head: string };

/** A stored file in the place of a page. */
export type Sent = { file: ServedFile };

/**
 * An answer that is not a page of the kit, such as a picture, or an empty one; `type` is a media type, null for none. Its headers
 * stand in the place of the kit's.
 */
export type Bare = {
  status: number;
  type: string | null;
  content: string | Buffer;
  headers?: Record<string, string>;
};

/** Another page to go to; `has_moved` where it is this one, whose path is another by now: method, body and query go along. */
export type Go = { to: string; cookies?: string[]; has_moved?: boolean };

/** Where a person continues whose page cannot be shown. */
export type WayOn = { path: string; label: Record<Language, string> };

/** A page at a path, with what its form does. */
type Showing<At extends Visit> = {
  path: string;
  /** The names of the request headers that it depends on. */
  hears?: readonly string[];
  /** Bytes that its form may have; those of strangers unless said. */
  form_bytes?: number;
  /** Whether its form may hold files; they count to `form_bytes`. */
  takes_files?: boolean;
  /**
   * Begins to count the bytes of a form with files: told how many have come, until it is answered. What it throws refuses the form,
   * and is told in the place of the page.
   */
  arriving?(): { grow(bytes: number): void; leave(): void };
  /**
   * Takes each file of the form as it arrives, before the form is submitted: reads all of it, and answers the text that stands for it in
   * the form, or null where none does. `before` has the fields that stand before it.
   */
  take_file?(visit: At, sent: { name: string; file: ArrivingFile; before: Form }): Promise<string | null>;
  /** Bytes that such files may have together. */
  files_bytes?: number;
  /** Whether search engines may list it. */
  is_indexed?: boolean;
  /** Whether programs send its form too: then it is taken from any origin, and a body that is not a form is an empty one. */
  is_for_programs?: boolean;
  show(visit: At, refused?: Refused): Promise<View | Go | Sent | Bare>;
  submit?(visit: At, form: Form): Promise<View | Go | Bare>;
};

/**
 * What the token in the path opens. The page is shown, and its form taken, for a link in that state alone; without
 * `state` for a living one. `for_guests`: sessions are ignored, the kit sets no cookie, and forms need no form token,
 * because the link's token proves all that a form token would. Not for a page whose form opens a session: another site could
 * send it with a link of its own, where the browser does not tell from which site a form comes.
 */
export type OpenedBy = {
  purpose: LinkPurpose;
  state?: 'living' | 'used';
  for_guests: boolean;
  /** Where to ask for another link when this one has ended. */
  way_on?: WayOn;
  /** What to do then where no page helps; a sentence. */
  advice?: Record<Language, string>;
};

/**
 * A page that no token opens. `for_everybody`: sessions are ignored, the kit sets no cookie, and forms need no form token, because
 * what they do anybody can do. `of_organization`: the same of that whose slug stands in the path as `:orgSlug`.
 */
export type PlainPage = Showing<Visit> & {
  opened_by?: undefined;
  for_everybody?: boolean;
  of_organization?: boolean;
};

/** A page that a link opens. */
export type LinkedPage = Showing<LinkedVisit> & { opened_by: OpenedBy };

/** Any page of the kit. */
export type Page = PlainPage | LinkedPage;

/** Whether a page is for people without an account, whom it knows by nothing but its path. */
export function isForGuests(page: Page): boolean {
  if (page.opened_by) return page.opened_by.for_guests;
  return page.for_everybody === true || page.of_organization === true;
}
