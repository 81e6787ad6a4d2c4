/** What a credential may do. A role is a set of scopes; a key holds some of its creator's. */
export const domains = [
  'crm',
  'mail',
  'accounting',
  'attendance',
  'scheduler',
  'invoicing',
  'received',
  'cloud',
  'sign',
  'forms',
] as const;

export type Domain = (typeof domains)[number];

/** Whose records something is about; `platform`: members, keys, settings, jobs. */
export type DomainOrPlatform = Domain | 'platform';

/** The name of something that belongs to a domain, which is its first word: `crm.contacts.import`. */
export type DomainName = `${DomainOrPlatform}.${string}`;

/** The domain that a name begins with. */
export function domainOf(name: DomainName): DomainOrPlatform {
  return name.slice(0, name.indexOf('.')) as DomainOrPlatform;
}

/** Every scope that can be granted, `*` (all of them) aside. */
export const scopes = [
  ...domains.flatMap((domain) => [`${domain}:read`, `${domain}:write`] as const),
  'events:read',
  'jobs:read',
  'approvals:write',
  'settings:write',
  'audit:read',
] as const;

export type Scope = (typeof scopes)[number];

/** Scopes as they are stored and shown: single ones, or `*` for all. */
export type Grant = Scope | '*';

export const grants = ['*', ...scopes] as const;

/** Roles from the most to the least powerful. */
export const roles = ['owner', 'admin', 'manager', 'member'] as const;

export type Role = (typeof roles)[number];

const everyDomain = domains.flatMap((domain): Scope[] => [`${domain}:read`, `${domain}:write`]);

const roleGrants: Record<Role, readonly Grant[]> = {
  owner: ['*'],
  admin: ['*'],
  manager: [...everyDomain, 'approvals:write', 'events:read', 'audit:read'],
  member: everyDomain.filter((scope) => scope !== 'accounting:write'),
};

/** The scopes that a role gives. */
export function grantsOfRole(role: Role): readonly Grant[] {
  return roleGrants[role];
}

/** Whether the grants allow the scope. `jobs:read` comes with any scope at all. */
export function allows(granted: readonly Grant[], scope: Scope): boolean {
  if (granted.includes('*') || granted.includes(scope)) return true;
  return scope === 'jobs:read' && granted.length > 0;
}

/** The domains whose records the grants allow to read. */
export function readableDomains(granted: readonly Grant[]): readonly Domain[] {
  return domains.filter((domain) => allows(granted, `${domain}:read`));
}

/** What a key with `granted` may do while its creator has `role`: never more than the role, however old the key. */
export function grantsWithinRole(granted: readonly Grant[], role: Role): readonly Grant[] {
  const ofRole = grantsOfRole(role);
  if (ofRole.includes('*')) return granted;
  if (granted.includes('*')) return ofRole;
  return granted.filter((scope) => ofRole.includes(scope));
}

/** Whether `role` stands above or beside `other`. */
export function isAtLeast(role: Role, other: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(other);
}
