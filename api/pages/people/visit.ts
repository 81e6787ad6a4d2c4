import type { Failure } from '../../../shared/kernel/failure.ts';
import type { Credential } from '../../http/credential.ts';
import type { Steps } from '../../http/steps.ts';

export type Language = 'ja' | 'en';

/** What a form sent: the value of each field, and all values of those that may be sent several times. */
export type Form = {
  has(name: string): boolean;
  get(name: string): string;
  all(name: string): string[];
};

/** A person at a page. */
export type Visit = {
  language: Language;
  /** The path of another page in the language that was asked for. */
  link(path: string): string;
  /** The path of this page. */
  path: string;
  /** The part of the path that a page has for its own: a token, an ID. */
  param: string;
  /** What each form of the page sends back, to prove that it is of this page. */
  form_token: string;
  /** Their session; null for who is not signed in. */
  session: Credential | null;
  client: { user_agent: string | null; session_id: string | null };
  steps: Steps;
};

/** A form that was refused, to be shown again with what stood in it. */
export type Refused = { failure: Failure; form: Form };

/** A page to show, its body as HTML, escaped already. */
export type View = { status?: number; title: string; body: string; cookies?: string[] };

/** Another page to go to. */
export type Go = { to: string; cookies?: string[] };

/** A page at a path, with what its form does. */
export type FormPage = {
  path: string;
  /** True where a token stands in the path: then no other site is told the path. */
  secret?: boolean;
  show(visit: Visit, refused?: Refused): Promise<View | Go>;
  submit?(visit: Visit, form: Form): Promise<View | Go>;
};
