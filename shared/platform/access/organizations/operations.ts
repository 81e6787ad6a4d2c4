import { newId } from '../../../kernel/id.ts';
import type { Work } from '../../../kernel/work.ts';
import type { Domain } from '../../domain.ts';
import { addMember } from '../members/joining.ts';
import { lockOrganization, type OrganizationRow, organizationOf } from './queries.ts';
import {
  askedVersion,
  type Organization,
  type OrganizationInput,
  type OrganizationPatch,
  organizationFacts,
} from './record.ts';
import { slugOf } from './slug.ts';

/**
 * Makes an organization with its first owner and the records that each domain begins with. Its version of the API is the
 * latest, so that a later one changes nothing for it. `work` may act for no organization or for another one.
 * Errors: `already_exists` for a slug in use.
 */
export async function createOrganization(
  work: Work,
  input: OrganizationInput,
  owner_id: string,
  api_version: string,
  domains: readonly Pick<Domain, 'begin' | 'people'>[],
): Promise<Organization> {
  const id = newId('org', work.now);
  const created_at = work.now.toISOString();
  const slug = input.slug ?? (await freeSlug(work, input.name, id));
  const row: OrganizationRow = {
    id,
    name: input.name,
    slug,
    api_version,
    created_at,
    updated_at: created_at,
  };
  const organization = organizationOf(row);
  const inside = work.inOrganization(id);
  inside.run(
    `INSERT INTO organizations (id, name, slug, api_version, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5)`,
    [id, row.name, slug, api_version, created_at],
  );
  inside.record(organizationFacts.created, { before: null, after: organization });
  for (const { begin } of domains) begin?.(inside);
  await addMember(
    inside,
    owner_id,
    'owner',
    domains.flatMap(({ people }) => people ?? []),
  );
  await inside.flush();
  return organization;
}

/** Of several with one name at once, each waits for the one before and then sees what it took. */
async function freeSlug(work: Work, name: string, id: string): Promise<string> {
  const slug = slugOf(name, id, false);
  await work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`slug ${slug}`]);
  const taken = await work.connection.query('SELECT 1 FROM organizations WHERE slug = $1', [slug]);
  return taken.length > 0 ? slugOf(name, id, true) : slug;
}

/** A slug that was had twice was left the second time. */
const LEAVE_SLUG = `INSERT INTO former_slugs (organization_id, slug, left_at) VALUES ($1, $2, $3)
  ON CONFLICT (organization_id, slug) DO UPDATE SET left_at = excluded.left_at`;

/**
 * Changes the fields sent of the work's own organization. Its public paths are found by the slug of before, too, until
 * another organization takes that. Errors: `precondition_failed`, `already_exists`.
 */
export async function updateOrganization(work: Work, patch: OrganizationPatch): Promise<Organization> {
  const before = await lockOrganization(work.connection, work.organization_id);
  work.precondition(before);
  const { name = before.name, slug = before.slug } = patch;
  const api_version = askedVersion(patch) ?? before.metadata.api_version;
  const changed: Organization = { ...before, name, slug, metadata: { api_version } };
  if (work.isSame(organizationFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  work.run('UPDATE organizations SET name = $2, slug = $3, api_version = $4, updated_at = $5 WHERE id = $1', [
    before.id,
    name,
    slug,
    api_version,
    after.updated_at,
  ]);
  if (slug !== before.slug) work.run(LEAVE_SLUG, [before.id, before.slug, after.updated_at]);
  work.record(organizationFacts.updated, { before, after });
  return after;
}
