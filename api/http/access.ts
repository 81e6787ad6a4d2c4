import type { FailureCode } from '../../shared/kernel/failures.ts';
import { allows, type Scope } from '../../shared/kernel/scope.ts';
import type { LinkPurpose } from '../../shared/platform/links/purpose.ts';
import type { ApiContext } from '../context.ts';
import { type Guesses, keyOrSession, nobody, sessionOrNobody, WRONG_CREDENTIALS } from './authenticate.ts';
import { requireNothing, requireOrganization, requireScopes, requireSession } from './authorize.ts';
import type { Credential } from './credential.ts';
import { linkFailures, openLinkOfPath } from './link-access.ts';
import { findOrganizationOfPath } from './organization-access.ts';
import type { Request } from './request.ts';

/**
 * Who may call: a scope; `any`, every credential with an organization; `account`, a signed-in person, with or
 * without an organization; `visitor`, everybody, and a session is noticed where there is one; `public`, everybody,
 * credentials ignored; `link`, everybody who has a link whose token stands in the path, credentials ignored; `organization`,
 * everybody, in the organization whose slug stands in the path as `:orgSlug`, credentials ignored.
 */
export type Access = Scope | 'any' | 'account' | 'visitor' | 'public' | 'link' | 'organization';

/** What an endpoint declares about who may call it. */
export type AccessDeclaration = {
  scope: Access;
  /** A second scope that is required too: of the domain whose records a call across domains shows. */
  domain_scope?: Scope | undefined;
  /** Another scope that suffices in the place of `domain_scope`: of another domain whose records it shows. */
  either_domain_scope?: Scope | undefined;
  /** Another scope that suffices in the place of `scope`. */
  either_scope?: Scope | undefined;
  /** True for what an API key may not do, whatever its scopes. */
  session?: boolean;
  /** With the access `link`: what the token in the path (`:token`) opens. */
  link?: LinkPurpose;
};

/** How the caller of one kind of access is found, what is required of them, and what follows for the reference. */
export type AccessKind = {
  /** Finds the caller; null where nobody need be known. */
  find(context: ApiContext, request: Request): Promise<Credential | null>;
  /** The failure of `find` that is a wrong guess, and how many of them an address may make. */
  guesses: Guesses | null;
  /** Refuses a caller who may not make this call. */
  authorize(credential: Credential | null, declared: AccessDeclaration): void;
  /** Whether the call acts in the caller's organization; otherwise it acts in none. */
  acts_in_organization: boolean;
  /** Whether answers depend on who calls, so that no cache may keep them. */
  is_private: boolean;
  /** Whether a browser's cookie can make the call, so that other sites' pages must be refused. */
  takes_cookies: boolean;
  /** Whether a caller is always known, so that a POST can be kept for repetition under an Idempotency-Key. */
  is_authenticated: boolean;
  /** Bytes that a JSON body may have. */
  body_bytes: number;
  /** The failures of `find` and `authorize`. */
  failures(declared: AccessDeclaration): readonly FailureCode[];
  /** The sentence of the reference about who may call. */
  sentence(declared: AccessDeclaration): string;
  /** The security requirement of the OpenAPI text. */
  security(declared: AccessDeclaration): readonly object[];
};

/** Bytes that the body of a call with an organization may have. */
const ORGANIZATION_BYTES = 1024 * 1024;

/** Bytes that the body of a caller without an organization may have, who may be anybody: JSON and the forms of pages. */
export const STRANGER_BYTES = 16 * 1024;

const visitor: AccessKind = {
  find: sessionOrNobody,
  guesses: null,
  authorize: requireNothing,
  acts_in_organization: true,
  is_private: true,
  takes_cookies: true,
  is_authenticated: false,
  body_bytes: STRANGER_BYTES,
  failures: () => [],
  sentence: () => 'Needs no credentials; a session is noticed.',
  security: () => [{}, { session: [] }],
};

const everybody: AccessKind = {
  ...visitor,
  find: nobody,
  is_private: false,
  takes_cookies: false,
  sentence: () => 'Needs no credentials.',
  security: () => [],
};

const anyCredential: AccessKind = {
  find: keyOrSession,
  guesses: WRONG_CREDENTIALS,
  authorize(credential, { session }) {
    if (session) requireSession(credential);
    requireOrganization(credential);
  },
  acts_in_organization: true,
  is_private: true,
  takes_cookies: true,
  is_authenticated: true,
  body_bytes: ORGANIZATION_BYTES,
  failures: ({ session }) => [
    'missing_credentials',
    'invalid_credentials',
    ...(session ? ['session_required' as const] : []),
    'no_active_organization',
  ],
  sentence: ({ session }) => `Needs credentials of any scope${personOnly(session)}.`,
  security: ({ session }) => (session ? [{ session: [] }] : [{ api_key: [] }, { session: [] }]),
};

const scoped: AccessKind = {
  ...anyCredential,
  authorize(credential, declared) {
    anyCredential.authorize(credential, declared);
    const { either_scope, either_domain_scope } = declared;
    const grants = credential?.grants ?? [];
    if (either_scope && allows(grants, either_scope)) return;
    const is_of_other = either_domain_scope && allows(grants, either_domain_scope);
    requireScopes(credential, scopesOf(is_of_other ? { scope: declared.scope } : declared));
  },
  failures: (declared) => [...anyCredential.failures(declared), 'insufficient_scope'],
  sentence: ({ scope, either_scope, domain_scope, either_domain_scope, session }) => {
    const domains = either_domain_scope
      ? `\`${domain_scope}\` or \`${either_domain_scope}\``
      : `\`${domain_scope}\``;
    const needed = domain_scope ? `scopes \`${scope}\` and ${domains}` : `scope \`${scope}\``;
    const instead = either_scope ? `, or \`${either_scope}\`` : '';
    return `Needs the ${needed}${instead}${personOnly(session)}.`;
  },
};

const account: AccessKind = {
  ...anyCredential,
  authorize: requireSession,
  // What an account does about its organizations is done in none of them, least of all in the active one.
  acts_in_organization: false,
  body_bytes: STRANGER_BYTES,
  failures: () => ['missing_credentials', 'invalid_credentials', 'session_required'],
  sentence: () => 'Needs a signed-in person.',
  security: () => [{ session: [] }],
};

/** Whoever reads the pages of an organization: each repeats requests by the path, so that a key is that of one page. */
const organization: AccessKind = {
  ...everybody,
  find: findOrganizationOfPath,
  is_authenticated: true,
  failures: () => ['not_found'],
};

/** Guests act in the organization of their link. Its token is the proof, so other sites' pages need not be refused. */
function guest(purpose: LinkPurpose): AccessKind {
  return {
    ...visitor,
    find: (context, request) => openLinkOfPath(context, purpose, request),
    takes_cookies: false,
    is_authenticated: true,
    failures: () => linkFailures(purpose),
    sentence: () => 'Needs no credentials: the token in the path, of a link that was sent, is the proof.',
    security: () => [],
  };
}

const named: Record<Exclude<Access, Scope | 'link'>, AccessKind> = {
  public: everybody,
  visitor,
  account,
  organization,
  any: anyCredential,
};

/** How the access that an endpoint declares is checked and described. */
export function accessOf({ scope, link }: Pick<AccessDeclaration, 'scope' | 'link'>): AccessKind {
  if (isScope(scope)) return scoped;
  if (scope !== 'link') return named[scope];
  if (!link) throw new Error('An endpoint with the access "link" names the purpose of its links');
  return guest(link);
}

/** Whether an access is a scope: scopes have a colon, the other kinds of access are single words. */
export function isScope(access: Access): access is Scope {
  return access.includes(':');
}

/** Every scope that a caller must have; none for a call that requires none. */
export function scopesOf({
  scope,
  domain_scope,
}: Pick<AccessDeclaration, 'scope' | 'domain_scope'>): readonly Scope[] {
  const own = isScope(scope) ? [scope] : [];
  return domain_scope ? [...own, domain_scope] : own;
}

function personOnly(session: boolean | undefined): string {
  return session ? ', and a signed-in person: API keys cannot do this' : '';
}
