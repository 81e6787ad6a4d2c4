import type { Context } from 'koa';
import type { Reader } from '../../shared/kernel/reader.ts';
import type { Link } from '../../shared/platform/links/links.ts';
import type { Credential } from './credential.ts';

/** What the steps of a request tell each other. */
export type RequestState = {
  request_id: string;
  /** The version of the API that the answer is given in. */
  version: string;
  /** The endpoint that the request reached, as the log and the metrics name it. */
  endpoint?: { id: string; path: string };
  /** The pattern of the page's path that the request reached: the log names it in place of the path, which may hold a token. */
  page_path?: string;
  credential?: Credential | null;
  /** The link that a guest came with. */
  link?: Link;
  /** The organization that the path names. */
  organization_id?: string;
  /** Where the path is found that names an organization by a slug that it had before. */
  moved_to?: string;
  /** The body as sent: for the fingerprint of a repeated request. */
  body_text?: string;
};

export type Request = Context & { state: RequestState };

/** Who asks, as operations and queries see it, without the connection that they will get. */
export type Caller = Omit<Reader, 'connection'>;
