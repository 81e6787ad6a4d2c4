type Text = { title: string; description: string };

/** The part of the API that the first word of an endpoint's ID names, and its resources by the second word. */
type Part = Text & { resources?: Record<string, Text> };

/** The parts of the API in the order in which they are shown. */
export const parts: Record<string, Part> = {
  crm: {
    title: 'CRM',
    description: 'Companies, contacts, and deals in the stages of pipelines.',
    resources: {
      companies: { title: 'Companies', description: 'Whom you do business with.' },
      contacts: { title: 'Contacts', description: 'The people you deal with, at companies and beyond.' },
      deals: { title: 'Deals', description: 'What you hope to sell, in the stages of a pipeline.' },
      pipelines: {
        title: 'Pipelines',
        description:
          'The stages that deals go through, and the board that shows them. One pipeline is the default.',
      },
      activities: { title: 'Activities', description: 'Notes, calls, e-mails and meetings.' },
      tags: { title: 'Tags', description: 'Labels for deals, companies and contacts.' },
      tag_assignments: { title: 'Tag assignments', description: 'Which record carries which tag.' },
      custom_fields: {
        title: 'Custom fields',
        description: 'Fields of your own on companies, contacts and deals.',
      },
      search: { title: 'Search', description: 'Companies, contacts and deals at once.' },
      timeline: { title: 'Timeline', description: 'What happened around a record, newest first.' },
      duplicates: { title: 'Duplicates', description: 'Records that may be the same, to be merged.' },
      imports: {
        title: 'Imports',
        description: 'Files of records on their way in, what was wrong with them, and how to undo them.',
      },
      audit_logs: { title: 'Audit log', description: 'Who changed what in the CRM.' },
    },
  },
  mail: {
    title: 'Mail',
    description: 'Contacts for mail delivery, in lists, and who must not be mailed.',
    resources: {
      contacts: {
        title: 'Mail contacts',
        description: 'Addresses with what is known of their consent. An address is in an organization once.',
      },
      imports: {
        title: 'Imports of mail contacts',
        description: 'Files of addresses on their way in, what was wrong with them, and how to undo them.',
      },
      lists: { title: 'Lists', description: 'Groups of contacts that are mailed together.' },
      suppressions: {
        title: 'Suppressions',
        description: 'Addresses that must never be mailed again, whether they are contacts or not.',
      },
      audit_logs: { title: 'Audit log', description: 'Who changed what in mail.' },
    },
  },
  invoicing: {
    title: 'Invoicing',
    description: 'Quotations, invoices, delivery notes and purchase orders, from draft to payment.',
    resources: {
      quotations: { title: 'Quotations', description: 'What you offer, and until when.' },
      invoices: {
        title: 'Invoices',
        description: 'What you ask to be paid, their payments and what came of them.',
      },
      payments: { title: 'Payments', description: 'What was paid, over all invoices.' },
      credit_notes: { title: 'Credit notes', description: 'What you take back of invoices.' },
      delivery_notes: { title: 'Delivery notes', description: 'What you delivered.' },
      purchase_orders: { title: 'Purchase orders', description: 'What you order from others.' },
      audit_logs: { title: 'Audit log', description: 'Who changed what in invoicing.' },
      settings: {
        title: 'Settings of invoicing',
        description: 'What documents begin with and how they look.',
      },
    },
  },
  received: {
    title: 'Received documents',
    description: 'What purchase orders became: the invoices that suppliers will send.',
  },
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
  jobs: { title: 'Jobs', description: 'Work that goes on after the answer: its progress and its result.' },
  platform: {
    title: 'Audit log',
    description: 'Who changed what beside the domains: keys, members, settings.',
  },
  changelog: { title: 'Changelog', description: 'The dated versions of the API.' },
  health: { title: 'Health', description: 'For machines that watch the service.' },
};

const PLATFORM = 'Platform';

/** The name of a call's tag: its resource where the part describes it, else the part. Throws for an unknown part. */
export function tagOf(id: string): string {
  const [part = '', resource = ''] = id.split('.');
  if (!parts[part]) throw new Error(`${id}: api/http/openapi/tags.ts does not describe "${part}"`);
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
