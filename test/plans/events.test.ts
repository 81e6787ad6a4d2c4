import { describe, test } from 'node:test';
import { placeEvents } from '../../shared/platform/events/positions.ts';
import { assertReads, plannedApp } from '../support/plans.ts';

/**
 * What a reader of events looks at among 100,000 of them, most of them of one type: a page of the types that were asked
 * for, and no event of another type.
 */
const MANY = 100_000;
const RARE = 40;
const PAGE = 20;
const SMALL = new Set(['api_keys', 'api_key_hashes', 'members', 'organizations']);

const { app, ...planned } = await plannedApp();
const { database } = app;

const client = await planned.fill(async () => {
  const client = await app.actor();
  const { organization_id } = client.actor;
  await database.withConnection(organization_id, async (connection) => {
    await connection.query(
      `INSERT INTO events (organization_id, id, type, data, created_at)
       SELECT $1, 'evt_' || lpad(n::text, 26, '0'),
              CASE WHEN n % ${MANY / RARE} = 0 THEN 'invoice.paid' ELSE 'crm.contact.created' END, '{}', now()
         FROM generate_series(1, ${MANY}) AS n`,
      [organization_id],
    );
    for (let placed = 0; placed < MANY; placed += 20_000) await placeEvents(connection, organization_id);
  });
  return client;
});

/** The places that were read from the index of types, one more than a page, and as many events. */
const MOST = 4 * (PAGE + 1);

describe('a page of events reads what it shows', () => {
  for (const [name, query] of Object.entries({
    'of all types': '',
    'of a rare type': '&type=invoice.paid',
    'of rare types among others': '&types=invoice.*,conversion.completed,customer.*',
    'in ascending order': '&order=asc&types=invoice.*',
    'from the middle': `&order=asc&starting_after=evt_${String(MANY / 4).padStart(26, '0')}&types=invoice.*`,
  })) {
    test(name, () =>
      assertReads(planned, client, SMALL, {
        path: `/events?limit=${PAGE}${query}`,
        index: query.includes('type') ? /^events_by_type$/ : /^events_in_order$/,
        found: PAGE,
        most: MOST,
      }),
    );
  }
});
