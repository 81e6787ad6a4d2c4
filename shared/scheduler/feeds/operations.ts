import { randomBytes } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { endLinks, newLink } from '../../platform/links/links.ts';
import { tokenFrom } from '../../platform/links/token.ts';
import { lockPresentMember } from '../members/locks.ts';
import { ownerOf, requireOwner } from '../members/owner.ts';
import { feedRow, feedShown, feedsOf } from './queries.ts';
import { type Feed, type FeedInput, FeedModel, feedFacts, feedLinks } from './record.ts';

/** As many feeds as a member may have: one for each program that follows it. */
const MOST_FEEDS = 20;

/**
 * Makes a feed of a member's bookings, and the address by which programs read it, which is answered this once. Errors:
 * `not_owner`, `unknown_reference`, `in_use` beyond 20 feeds of a member.
 */
export async function createFeed(
  work: Work,
  input: FeedInput,
  { base_url }: { base_url: string },
): Promise<{ feed: Feed; url: string }> {
  const user_id = ownerOf(work, input.user_id);
  await lockPresentMember(work, user_id);
  if ((await feedsOf(work, user_id)).length >= MOST_FEEDS) {
    throw new Failure('in_use', {
      detail: {
        en: `A member has ${MOST_FEEDS} feeds at most; delete one first`,
        ja: `フィードは1人${MOST_FEEDS}件までです。先に1件削除してください`,
      },
    });
  }
  const at = work.now.toISOString();
  const row = { id: newId('feed', work.now), user_id, created_at: at, updated_at: at };
  work.insert(FeedModel, { ...row, created_by: work.actor.user_id });
  const { connection, now, organization_id } = work;
  const making = { connection, now, base_url, newToken: () => tokenFrom(randomBytes(32)) };
  const url = `${await newLink(making, feedLinks, { organization_id, record_id: row.id })}.ics`;
  const feed = feedShown(row);
  work.record(feedFacts.created, { before: null, after: feed });
  return { feed, url };
}

/** Ends a feed at once. Errors: `not_found`, `not_owner`, `precondition_failed`. */
export async function deleteFeed(work: Work, id: string): Promise<void> {
  const row = await feedRow(work, id, 'FOR UPDATE');
  requireOwner(work, row.user_id);
  const before = feedShown(row);
  work.precondition(before);
  remove(work, before);
}

/** Ends the feeds of somebody who leaves, in that commit. The member is locked before. */
export async function endFeedsOf(work: Work, user_id: string): Promise<void> {
  for (const row of await feedsOf(work, user_id)) remove(work, feedShown(row));
}

function remove(work: Work, before: Feed): void {
  work.remove(FeedModel, before.id);
  endLinks(work, feedLinks, { organization_id: work.organization_id, record_id: before.id });
  work.record(feedFacts.deleted, { before, after: null });
}
