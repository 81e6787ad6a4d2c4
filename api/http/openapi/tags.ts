/** The parts of the API: the first word of an endpoint's ID, its title and what it is for. */
export const tags: Record<string, { title: string; description: string }> = {
  auth: {
    title: 'Sign-in',
    description: 'Accounts of people and their sessions. Programs use API keys instead.',
  },
  organizations: {
    title: 'Organizations',
    description: 'The organization that everything belongs to, its members and invitations.',
  },
  api_keys: {
    title: 'API keys',
    description: 'Credentials for programs. They are made and revoked by signed-in people alone.',
  },
  crm: {
    title: 'CRM',
    description:
      'Companies, contacts, and deals in the stages of pipelines, with activities, tags, custom fields, search and a timeline.',
  },
  events: {
    title: 'Events',
    description: 'What happened in the organization, in an order in which a poller misses nothing.',
  },
  jobs: { title: 'Jobs', description: 'Work that goes on after the answer: its progress and its result.' },
  platform: {
    title: 'Audit log',
    description: 'Who changed what, beside the domains: keys, members, settings.',
  },
  changelog: { title: 'Changelog', description: 'The dated versions of the API.' },
  health: { title: 'Health', description: 'For machines that watch the service.' },
};

/** The tag of a call. Throws for a part that the table does not describe. */
export function tagOf(id: string): string {
  const part = id.split('.')[0]!;
  const tag = tags[part];
  if (!tag) throw new Error(`${id}: api/http/openapi/tags.ts does not describe "${part}"`);
  return tag.title;
}
