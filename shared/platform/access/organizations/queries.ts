import { pageOf } from '../../../db/list.ts';
import { oneOf } from '../../../db/one-of.ts';
import type { Connection } from '../../../kernel/connection.ts';
import { notFound } from '../../../kernel/failure.ts';
import type { Reader } from '../../../kernel/reader.ts';
import type { Page, Window } from '../../../kernel/window.ts';
import type { Organization } from './record.ts';

const columns = ['id', 'name', 'slug', 'api_version', 'created_at', 'updated_at'] as const;

export type OrganizationRow = Record<(typeof columns)[number], string>;

/** A row as the API shows it. */
export function organizationOf(row: OrganizationRow): Organization {
  const { id, name, slug, api_version, created_at, updated_at } = row;
  return { id, object: 'organization', name, slug, metadata: { api_version }, created_at, updated_at };
}

const BY_ID = `SELECT ${columns.join(', ')} FROM organizations WHERE id = $1`;

/** One organization; whether the caller belongs to it is seen to before. Errors: `not_found`. */
export async function organizationById(connection: Connection, id: string): Promise<Organization> {
  const [row] = await connection.query<OrganizationRow>(BY_ID, [id]);
  if (!row) throw notFound();
  return organizationOf(row);
}

/** One of the organizations that a user is a present member of. Errors: `not_found`. */
export async function organizationOfUser(
  connection: Connection,
  id: string,
  user_id: string,
): Promise<Organization> {
  const member = 'SELECT 1 FROM members WHERE organization_id = $1 AND user_id = $2 AND left_at IS NULL';
  const [row] = await connection.query<OrganizationRow>(`${BY_ID} AND EXISTS (${member})`, [id, user_id]);
  if (!row) throw notFound();
  return organizationOf(row);
}

/** One organization, its row locked until the work commits. Errors: `not_found`. */
export async function lockOrganization(connection: Connection, id: string): Promise<Organization> {
  const [row] = await connection.query<OrganizationRow>(`${BY_ID} FOR NO KEY UPDATE`, [id]);
  if (!row) throw notFound();
  return organizationOf(row);
}

/** Who has each of the slugs now; else who had it last, whose present one is `slug`. */
const BY_SLUG = `SELECT id, slug, slug AS asked FROM organizations WHERE slug = ${oneOf('$1')}`;
const BY_FORMER_SLUG = `SELECT DISTINCT ON (former.slug) organization.id, organization.slug, former.slug AS asked
  FROM former_slugs AS former JOIN organizations AS organization ON organization.id = former.organization_id
 WHERE former.slug = ${oneOf('$1')} ORDER BY former.slug, former.left_at DESC`;

/** An organization that a public path is about, which may have another slug by now. */
export type OrganizationOfSlug = Pick<Organization, 'id' | 'slug'>;

/** The organizations that public paths are about, by the slugs that stand there; not of a slug that nobody has or had. */
export async function organizationsOfSlugs(
  connection: Connection,
  slugs: readonly string[],
): Promise<Map<string, OrganizationOfSlug>> {
  type Found = OrganizationOfSlug & { asked: string };
  const present = await connection.query<Found>(BY_SLUG, [slugs]);
  const found = new Map(present.map(({ asked, ...organization }) => [asked, organization]));
  const missing = slugs.filter((slug) => !found.has(slug));
  if (missing.length === 0) return found;
  for (const { asked, ...organization } of await connection.query<Found>(BY_FORMER_SLUG, [missing])) {
    found.set(asked, organization);
  }
  return found;
}

/** A window of the organizations that a user is a present member of. */
export async function organizationPageOf(
  reader: Reader,
  user_id: string,
  window: Window,
): Promise<Page<Organization>> {
  const { knex } = reader.connection;
  const joined = knex('members').where({ user_id, left_at: null }).select('organization_id');
  const page = await pageOf<OrganizationRow>(reader, {
    query: knex('organizations').whereIn('organizations.id', joined),
    table: 'organizations',
    columns,
    prefix: 'org',
    sorts: { name: 'name', slug: 'slug' },
    across: true,
    window,
  });
  return { ...page, rows: page.rows.map(organizationOf) };
}
