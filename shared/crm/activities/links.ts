import type { Work } from '../../kernel/work.ts';

export type ActivityLink = 'company_id' | 'contact_id' | 'deal_id';

/** How many activities refer to a record. */
export async function countActivities(work: Work, link: ActivityLink, id: string): Promise<number> {
  const [row] = await work.connection.query<{ count: number }>(
    `SELECT count(*) FROM crm_activities WHERE organization_id = $1 AND ${link} = $2`,
    [work.organization_id, id],
  );
  return row!.count;
}

/** Gives the activities of a record another one, as when it is merged; the activities themselves do not change. */
export function relinkActivities(work: Work, link: ActivityLink, id: string, to: string): void {
  work.run(`UPDATE crm_activities SET ${link} = $3 WHERE organization_id = $1 AND ${link} = $2`, [
    work.organization_id,
    id,
    to,
  ]);
}
