import { z } from 'zod';
import { domains } from '../../shared/domains.ts';
import { byId } from '../../shared/kernel/schema.ts';
import {
  createOrganization,
  updateOrganization,
} from '../../shared/platform/access/organizations/operations.ts';
import {
  organizationById,
  organizationOfUser,
  organizationPageOf,
} from '../../shared/platform/access/organizations/queries.ts';
import {
  Organization,
  OrganizationInput,
  OrganizationPatch,
} from '../../shared/platform/access/organizations/record.ts';
import { activateOrganization, placeSession } from '../../shared/platform/access/sessions/operations.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { versions } from '../versions.ts';

const OrganizationReply = z.strictObject({ organization: Organization });

const version = z.enum(versions.map((known) => known.version)).optional();

const VersionedPatch = OrganizationPatch.extend({
  metadata: z.strictObject({ api_version: version }).optional(),
  api_version: version.describe('The same as `metadata.api_version`.'),
}).meta({ id: 'OrganizationPatch' });

export const organizations = [
  list({
    id: 'organizations.list',
    path: '/api/v1/organizations',
    scope: 'account',
    summary: 'List your organizations',
    description: 'Those that you are a member of now. The one that your session acts in is `/organization`.',
    item: Organization,
    sorts: ['name', 'slug'],
    handle: ({ window }, reader) => organizationPageOf(reader, reader.actor.user_id!, window),
  }),
  read({
    id: 'organizations.get_one',
    method: 'get',
    path: '/api/v1/organizations/:id',
    scope: 'account',
    summary: 'Read one of your organizations',
    description: 'One that you are not a member of, or have left, is 404.',
    params: byId('org'),
    reply: OrganizationReply,
    handle: async ({ params }, reader) => ({
      organization: await organizationOfUser(reader.connection, params.id, reader.actor.user_id!),
    }),
  }),
  write({
    id: 'organizations.create',
    method: 'post',
    path: '/api/v1/organizations',
    scope: 'account',
    summary: 'Create an organization',
    description: 'You become its owner, and your session acts in it from now on.',
    body: OrganizationInput,
    status: 201,
    reply: OrganizationReply,
    raises: ['already_exists'],
    handle: async ({ body, client }, work) => {
      const { user_id } = work.actor;
      const organization = await createOrganization(work, body, user_id!, versions[0]!.version, domains);
      await placeSession(work, client.session_id!, user_id!, organization.id);
      return { organization };
    },
  }),
  write({
    id: 'organizations.activate',
    method: 'post',
    path: '/api/v1/organizations/:id/activate',
    scope: 'account',
    summary: 'Act in another organization',
    description: 'The session acts in it from now on, and so does your next sign-in.',
    params: byId('org'),
    reply: OrganizationReply,
    handle: async ({ params, client }, work) => {
      const organization = await organizationOfUser(work.connection, params.id, work.actor.user_id!);
      work.precondition(organization);
      await activateOrganization(work, client.session_id!, work.actor.user_id!, organization.id);
      return { organization };
    },
  }),
  read({
    id: 'organization.get',
    method: 'get',
    path: '/api/v1/organization',
    scope: 'any',
    summary: 'Read the active organization',
    description:
      'The one that the key belongs to, or that the session acts in. `metadata.api_version` is the version of the API for requests that name none.',
    reply: OrganizationReply,
    handle: async (_, reader) => ({
      organization: await organizationById(reader.connection, reader.organization_id),
    }),
  }),
  write({
    id: 'organization.update',
    method: 'patch',
    path: '/api/v1/organization',
    scope: 'settings:write',
    session: true,
    summary: 'Change the active organization',
    description:
      'Only the fields sent change. Another `api_version` holds from the next request on for everybody who names no version, API keys included. Another `slug` changes the addresses of public pages; the old ones lead on (308) until another organization takes that slug.',
    body: VersionedPatch,
    reply: OrganizationReply,
    raises: ['already_exists'],
    handle: async ({ body }, work) => ({ organization: await updateOrganization(work, body) }),
  }),
];
