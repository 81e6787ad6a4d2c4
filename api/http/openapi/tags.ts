import { domains } from '../../../shared/domains.ts';

type Text = { title: string; description: string };

/** The part of the API that the first word of an endpoint's ID names, and its resources by the second word. */
type Part = Text & { resources?: Record<string, Text> };

const platformParts: Record<string, Part> = {
  auth: {
    title: 'Sign-in',
    description: 'Accounts of people and their sessions. Programs use API keys instead.',
  },
  organizations: { title: 'Organizations', description: 'What every record belongs to.' },
  organization: { title: 'The active organization', description: 'The one that a credential acts in.' },
  members: { title: 'Members', description: 'The people of an organization and their roles.' },
  invitations: { title: 'Invitations', description: 'How people become members.' },
  api_keys: {
    title: 'API keys',
    description: 'Credentials for programs. They are made and revoked by signed-in people alone.',
  },
  events: {
    title: 'Events',
    description: 'What happened in the organization, in an order in which a poller misses nothing.',
  },
  evidence: {
    title: 'Evidence',
    description: 'Originals of all domains together: their chain of hashes, and their files for an audit.',
  },
  jobs: { title: 'Jobs', description: 'Work that goes on after the answer: its progress and its result.' },
  platform: {
    title: 'Audit log',
    description: 'Who changed what beside the domains: keys, members, settings.',
  },
  changelog: { title: 'Changelog', description: 'The dated versions of the API.' },
  health: { title: 'Health', description: 'For machines that watch the service.' },
};

/** The parts of the API in the order in which they are shown. */
export const parts: Record<string, Part> = {
  ...Object.fromEntries(
    domains.map(({ name, title, description, resources, audit_log: { about } }) => {
      const audit_logs = { title: 'Audit log', description: `Who changed what in ${about}.` };
      return [name, { title, description, resources: { ...resources, audit_logs } }];
    }),
  ),
  ...platformParts,
};

const PLATFORM = 'Platform';

/** The name of a call's tag: its resource where the part describes it, else the part. Throws for an unknown part. */
export function tagOf(id: string): string {
  const [part = '', resource = ''] = id.split('.');
  if (!parts[part])
    throw new Error(`${id}: neither a domain nor api/http/openapi/tags.ts describes "${part}"`);
  return parts[part].resources?.[resource] ? `${part}.${resource}` : part;
}

/** The tags that are in use with their texts, and the groups in which readers show them. */
export function describedTags(used: ReadonlySet<string>) {
  const all = Object.entries(parts).flatMap(([part, { resources = {}, ...text }]) => [
    { name: part, group: Object.keys(resources).length > 0 ? text.title : PLATFORM, ...text },
    ...Object.entries(resources).map(([resource, described]) => ({
      name: `${part}.${resource}`,
      group: text.title,
      ...described,
    })),
  ]);
  const shown = all.filter(({ name }) => used.has(name));
  const groups = Map.groupBy(shown, ({ group }) => group);
  return {
    tags: shown.map(({ name, title, description }) => ({ name, 'x-displayName': title, description })),
    'x-tagGroups': [...groups].map(([name, members]) => ({ name, tags: members.map((one) => one.name) })),
  };
}
