import type { Work } from '../../kernel/work.ts';
import type { Member } from './members/record.ts';

type Invited = { id: string; email: string };

/**
 * What a domain does in the transaction that changes who belongs to the organization. The members and invitations are
 * locked before; what a follower locks comes after them.
 */
export type PeopleFollower = {
  /** Somebody became a member, for the first time or again. */
  joined(work: Work, member: Member): Promise<void>;
  /** Somebody left, or was removed. */
  left(work: Work, member: Member): Promise<void>;
  /** Addresses were invited. */
  invited(work: Work, invitations: readonly Invited[]): Promise<void>;
  /** Invitations were revoked. */
  uninvited(work: Work, invitations: readonly Invited[]): Promise<void>;
};

/** Those who follow, in the order of the domains. */
export type PeopleFollowers = readonly PeopleFollower[];
