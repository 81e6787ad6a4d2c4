import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { notFound } from '../../shared/kernel/failure.ts';
import { isStorable } from '../../shared/kernel/schema.ts';
import type { ApiContext } from '../context.ts';
import type { Request } from './request.ts';

/**
 * Finds the organization whose slug stands in the path as `:orgSlug`, and names it in the request's state: the call acts in it,
 * for somebody without any right. Errors: `not_found`.
 */
export async function findOrganizationOfPath(context: ApiContext, request: Request): Promise<null> {
  const { orgSlug = '' } = request.params as { orgSlug?: string };
  if (!isStorable(orgSlug)) throw notFound();
  const [found] = await context.database.withConnection(EVERY_ORGANIZATION, (connection) =>
    connection.query<{ id: string }>('SELECT id FROM organizations WHERE slug = $1', [orgSlug]),
  );
  if (!found) throw notFound();
  request.state.organization_id = found.id;
  return null;
}
