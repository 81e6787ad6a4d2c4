import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';

/** Lets one change of parents at a time in an organization, so that two cannot close a circle between them. */
export async function lockParents(work: Work): Promise<void> {
  await work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `crm_companies.parent_id ${work.organization_id}`,
  ]);
}

/** Whether `id` is `below` or stands above it, through any number of parents. */
export async function isAtOrAbove(reader: Reader, id: string, below: string): Promise<boolean> {
  const found = await reader.connection.query(
    `WITH RECURSIVE line AS (
       SELECT id, parent_id FROM crm_companies WHERE organization_id = $1 AND id = $2
       UNION
       SELECT company.id, company.parent_id FROM crm_companies AS company
         JOIN line ON company.organization_id = $1 AND company.id = line.parent_id
     )
     SELECT 1 FROM line WHERE id = $3`,
    [reader.organization_id, below, id],
  );
  return found.length > 0;
}

/** Sees that a company may get this parent. Errors: `cycle`. */
export async function refuseCycle(work: Work, id: string, parent_id: string): Promise<void> {
  await lockParents(work);
  if (await isAtOrAbove(work, id, parent_id)) throw cycle(id, parent_id);
}

/** A company would become its own parent: 409 at /parent_id. */
export function cycle(id: string, parent_id: string): Failure {
  const message = {
    en: `${parent_id} is ${id} itself or belongs to it`,
    ja: `${parent_id} は ${id} 自身か、その下にある取引先です`,
  };
  return new Failure('cycle', {
    detail: message,
    errors: [{ in: 'body', path: '/parent_id', code: 'cycle', message }],
  });
}
