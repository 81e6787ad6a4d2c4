import type { Work } from '../../../kernel/work.ts';
import { lockParents } from '../../companies/parents.ts';
import { type Fault, type GoodRow, textsIn, unknown, type Values } from '../row.ts';

export type Parents = {
  /** The parent that a row names, undefined when it names none; `id` is the company that gets it, null for a new one. */
  of(values: Values, id: string | null): string | Fault | undefined;
  /** Says that a company has this parent from now on. */
  set(id: string, parent_id: string | null): void;
};

/**
 * The lines above the parents that rows name; nobody else changes parents until the work commits.
 * Faults: `unknown_reference`, `cycle`.
 */
export async function parentsIn(
  work: Work,
  rows: readonly GoodRow[],
  byExternalId: (external_id: string) => { id: string } | undefined,
): Promise<Parents> {
  const ids = textsIn(rows, 'parent_id');
  const external_ids = textsIn(rows, 'parent_external_id');
  if (ids.length + external_ids.length === 0) return { of: () => undefined, set: () => undefined };
  const named = external_ids.flatMap((external_id) => byExternalId(external_id)?.id ?? []);
  const lines = await parentLines(work, [...ids, ...named]);

  return {
    of({ parent_external_id, parent_id }, id) {
      const isKnown = parent_id !== undefined && lines.has(parent_id as string);
      const field = isKnown || parent_external_id === undefined ? 'parent_id' : 'parent_external_id';
      const sent = (isKnown ? parent_id : (parent_external_id ?? parent_id)) as string | undefined;
      if (sent === undefined) return undefined;
      const found = isKnown ? sent : byExternalId(parent_external_id as string)?.id;
      if (!found) return unknown(field, sent);
      if (id !== null && lines.isAtOrAbove(id, found)) {
        const message = { en: 'The company would belong to itself', ja: '親会社の関係が循環しています' };
        return { field, code: 'cycle', message };
      }
      return found;
    },
    set: lines.set,
  };
}

export type ParentLines = {
  has(id: string): boolean;
  /** Whether `id` is `below` or stands above it. */
  isAtOrAbove(id: string, below: string): boolean;
  set(id: string, parent_id: string | null): void;
};

/** The lines from those companies upwards; nobody else changes parents until the work commits. */
export async function parentLines(work: Work, ids: readonly string[]): Promise<ParentLines> {
  await lockParents(work);
  const above = await companiesAbove(work, ids);
  return {
    has: (id) => above.has(id),
    isAtOrAbove(id, below) {
      for (let at: string | null | undefined = below; at; at = above.get(at)) if (at === id) return true;
      return false;
    },
    set: (id, parent_id) => above.set(id, parent_id),
  };
}

/** The parent of each of the companies and of all above them. */
async function companiesAbove(work: Work, ids: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await work.connection.query<{ id: string; parent_id: string | null }>(
    `WITH RECURSIVE line AS (
       SELECT id, parent_id FROM crm_companies WHERE organization_id = $1 AND id = ANY ($2)
       UNION
       SELECT company.id, company.parent_id FROM crm_companies AS company
         JOIN line ON company.organization_id = $1 AND company.id = line.parent_id
     )
     SELECT id, parent_id FROM line`,
    [work.organization_id, ids],
    { prepared: false },
  );
  return new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
}
