import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import { lockHostedTypes } from './queries.ts';
import { type EventType, EventTypeModel, eventTypeFacts } from './record.ts';
import { isHosted } from './shape.ts';

/**
 * Takes somebody who leaves, and is locked, out of all event types. One that is left without the members it needs becomes
 * inactive.
 */
export async function leaveEventTypes(work: Work, user_id: string): Promise<void> {
  for (let after = ''; ; ) {
    const types = await lockHostedTypes(work, user_id, { after, limit: FACTS_TOGETHER });
    const changes = types
      .filter(({ members }) => members.some((member) => member.user_id === user_id))
      .map((before) => ({ before, after: withoutMember(work, before, user_id) }));
    work.updateAll(
      EventTypeModel,
      changes.map(({ after: { id, is_active, updated_at } }) => ({ id, is_active, updated_at })),
    );
    for (const change of changes) work.record(eventTypeFacts.updated, change);
    await work.flushFacts();
    if (types.length < FACTS_TOGETHER) break;
    after = types.at(-1)!.id;
  }
  work.run('DELETE FROM scheduler_event_type_members WHERE organization_id = $1 AND user_id = $2', [
    work.organization_id,
    user_id,
  ]);
}

function withoutMember(work: Work, before: EventType, user_id: string): EventType {
  const members = before.members.filter((member) => member.user_id !== user_id);
  const is_active = before.is_active && isHosted(members, before.assignment);
  return { ...before, members, is_active, updated_at: work.touch(before) };
}
