import type { Vocabulary } from './vocabulary.ts';

/** A domain that is built, by the first word of what belongs to it. */
export type Domain = Exclude<keyof Vocabulary, 'kernel' | 'platform'>;

/** Whose records something is about; `platform`: members, keys, settings, jobs. */
export type DomainOrPlatform = Domain | 'platform';

/** The name of something that belongs to a domain, which is its first word: `crm.contacts.import`. */
export type DomainName = `${DomainOrPlatform}.${string}`;

/** The domain that a name begins with. */
export function domainOf(name: DomainName): DomainOrPlatform {
  return name.slice(0, name.indexOf('.')) as DomainOrPlatform;
}

/** The scopes that serve all domains. */
export const kernelScopes = [
  'events:read',
  'jobs:read',
  'approvals:write',
  'settings:write',
  'audit:read',
] as const;

type FurtherScopes<Declared> = Declared extends { scopes: readonly (infer Each extends string)[] }
  ? Each
  : never;

/** What an endpoint can ask for: scopes of domains that are built, and those that serve all. */
export type Scope =
  | `${Domain}:${'read' | 'write'}`
  | { [Owner in keyof Vocabulary]: FurtherScopes<Vocabulary[Owner]> }[keyof Vocabulary];

/** Scopes as they are stored and shown: single ones, or `*` for all. */
export type Grant = Scope | '*';

/** Roles from the most to the least powerful. */
export const roles = ['owner', 'admin', 'manager', 'member'] as const;

export type Role = (typeof roles)[number];

/** A domain as rights see it. */
export type ScopedDomain = {
  name: Domain;
  /** What a member may do with its records; `write` where absent, which includes reading. */
  member?: 'read' | 'write';
};

/** By role, the scopes that it gives. */
export type RoleGrants = Readonly<Record<Role, readonly Grant[]>>;

/** The scopes that a role gives beside those of domains. */
const beside: RoleGrants = {
  owner: ['*'],
  admin: ['*'],
  manager: ['approvals:write', 'events:read', 'audit:read'],
  member: [],
};

/** The scopes of domains, and those that serve all: every one that can be granted, `*` aside. */
export function scopesOfDomains(domains: readonly ScopedDomain[]): Exclude<Grant, '*'>[] {
  return [...domains.flatMap(({ name }) => [`${name}:read`, `${name}:write`] as const), ...kernelScopes];
}

/** What each role may do where these domains are: managers everything in them, members what the domain leaves them. */
export function roleGrantsFor(domains: readonly ScopedDomain[]): RoleGrants {
  const all = domains.flatMap(({ name }): Grant[] => [`${name}:read`, `${name}:write`]);
  const ofMember = domains.flatMap(({ name, member = 'write' }): Grant[] =>
    member === 'read' ? [`${name}:read`] : [`${name}:read`, `${name}:write`],
  );
  return { ...beside, manager: [...all, ...beside.manager], member: [...ofMember, ...beside.member] };
}

/** Whether a role gives the right to manage people and settings, which no domain decides. */
export function mayManage(role: Role): boolean {
  return allows(beside[role], 'settings:write');
}

/** Whether the grants allow the scope. `jobs:read` comes with any scope at all. */
export function allows(granted: readonly Grant[], scope: Exclude<Grant, '*'>): boolean {
  if (granted.includes('*') || granted.includes(scope)) return true;
  return scope === 'jobs:read' && granted.length > 0;
}

/** Whether a scope serves all domains. */
export function servesAllDomains(scope: Grant): boolean {
  return kernelScopes.some((each) => each === scope);
}

/** What a key with `granted` may do while its creator's role gives `ofRole`: never more, however old the key. */
export function grantsWithinRole(granted: readonly Grant[], ofRole: readonly Grant[]): readonly Grant[] {
  if (ofRole.includes('*')) return granted;
  if (granted.includes('*')) return ofRole;
  return granted.filter((scope) => ofRole.includes(scope));
}

/** Whether `role` stands above or beside `other`. */
export function isAtLeast(role: Role, other: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(other);
}
