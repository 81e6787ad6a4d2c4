import type { Connection } from './connection.ts';
import type { Grant, Role } from './scope.ts';

/** Who acts. A key acts as its creator, so `user_id` is there for both; guests and the system have none. */
export type Actor = {
  type: 'user' | 'api_key' | 'guest' | 'system';
  /** The user, key or guest token itself, as the audit log names it. */
  id: string;
  user_id: string | null;
  role: Role | null;
  grants: readonly Grant[];
};

/** What any operation or query is handed: who asks, for which organization, when, on which connection. */
export type Reader = {
  readonly connection: Connection;
  readonly organization_id: string;
  readonly actor: Actor;
  readonly now: Date;
  readonly request_id: string | null;
  readonly ip_address: string | null;
};

/** The service itself, when no person and no key asked: schedules, sweeps, first start. */
export const systemActor: Actor = { type: 'system', id: 'system', user_id: null, role: null, grants: ['*'] };

/** Who works at the operators' pages: there is one password for them, so the log can name none of them. */
export const operatorActor: Actor = { ...systemActor, id: 'operator' };

/** The organization of what belongs to none: mails to people who have no organization yet. */
export const NO_ORGANIZATION = 'org_none';
