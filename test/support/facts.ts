import type { TestApp } from './app.ts';

export type Told = {
  events: {
    type: string;
    data: Record<string, unknown>;
    previous_attributes: Record<string, unknown> | null;
  }[];
  audit: {
    entity_type: string;
    entity_id: string;
    action: string;
    changes: Record<string, [unknown, unknown]>;
  }[];
};

/** What an organization's writes have said so far, oldest first: its events and its audit entries. */
export async function toldSoFar(app: TestApp, organization_id: string): Promise<Told> {
  return without(new Set(), await entriesSoFar(app, organization_id));
}

/** What `act` made an organization's writes say, and nothing from before. */
export async function toldBy(
  app: TestApp,
  organization_id: string,
  act: () => Promise<unknown>,
): Promise<Told> {
  const { events, audit } = await entriesSoFar(app, organization_id);
  await act();
  const before = new Set([...events, ...audit].map(({ id }) => id));
  // Not by their number: where the clock stands, what changed most often has the latest ID, whatever came after.
  return without(before, await entriesSoFar(app, organization_id));
}

type Entries = { [Kind in keyof Told]: (Told[Kind][number] & { id: string })[] };

async function entriesSoFar(app: TestApp, organization_id: string): Promise<Entries> {
  return app.database.withConnection(organization_id, async ({ query }) => {
    const [events, audit] = await Promise.all([
      query('SELECT id, type, data, previous_attributes FROM events WHERE organization_id = $1 ORDER BY id', [
        organization_id,
      ]),
      query(
        `SELECT id, entity_type, entity_id, action, changes FROM audit_logs WHERE organization_id = $1
          ORDER BY id`,
        [organization_id],
      ),
    ]);
    return { events, audit } as unknown as Entries;
  });
}

function without(ids: Set<string>, { events, audit }: Entries): Told {
  const later = <Entry extends { id: string }>(entries: Entry[]) =>
    entries.filter(({ id }) => !ids.has(id)).map(({ id: _, ...entry }) => entry);
  return { events: later(events), audit: later(audit) };
}

/** The faults of a refused request as `path code`, in order. */
export function faultsIn(body: { errors?: { path: string; code: string }[] }): string[] {
  return (body.errors ?? []).map(({ path, code }) => `${path} ${code}`).sort();
}

const OF_DOCUMENTS = [
  'issuer_registration_number',
  'is_overdue',
  'days_overdue',
  'is_expired',
  'source',
  'converted_to',
  'email',
  'pdf',
  'available_actions',
  'warnings',
];

/** By kind of record, the members that events do not carry. */
export const computedMembers: Record<string, readonly string[]> = {
  'crm.company': ['customer_since', 'open_deals', 'open_amount', 'open_amounts'],
  'crm.contact': [],
  'crm.deal': ['last_stage_id', 'days_in_stage', 'is_stale'],
  'crm.activity': [],
  'invoicing.invoice': OF_DOCUMENTS,
};

/** A record of the API as events carry it. */
export function asCarried<Shown extends object>(record: Shown): Partial<Shown> {
  const computed = computedMembers[(record as { object?: string }).object ?? ''];
  if (!computed) throw new Error('No events carry such a record');
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !computed.includes(name)),
  ) as Partial<Shown>;
}
