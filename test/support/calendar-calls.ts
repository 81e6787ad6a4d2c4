import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import type { FeedServer } from './feed-server.ts';
import type { GoogleFake } from './google.ts';

/** What a CalDAV server says of the address of a calendar. */
const ONE_CALENDAR = `<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><response><href>/calendar/</href>
  <propstat><prop><resourcetype><collection/><C:calendar/></resourcetype></prop><status>HTTP/1.1 200 OK</status></propstat>
</response></multistatus>`;

type Call = { path: string; body?: unknown };

/** A call that succeeds, for every POST about calendars elsewhere. They need both servers in the settings. */
export function calendarCalls(
  app: TestApp,
  google: GoogleFake,
  feeds: FeedServer,
): Record<string, (client: Client & { organization_id: string; user_id: string }) => Promise<Call>> {
  feeds.answers['/calendar/'] = (answer) => void answer.writeHead(207).end(ONE_CALENDAR);
  return {
    'scheduler.calendars.connect_caldav': async () => ({
      path: '/scheduler/calendars/connect/caldav',
      body: { url: `http://${feeds.host}/calendar/`, username: 'hanako', password: 'secret' },
    }),
    'scheduler.calendars.connect_ics': async () => ({
      path: '/scheduler/calendars/connect/ics',
      body: { url: `http://${feeds.host}/feed.ics` },
    }),
    'scheduler.calendars.connect_google': async () => ({
      path: '/scheduler/calendars/connect/google',
      body: { return_to: '/settings' },
    }),
    'scheduler.calendars.sync': async ({ organization_id, user_id }) => ({
      path: `/scheduler/calendars/connections/${await storedConnection(app, organization_id, user_id)}/sync`,
    }),
    'scheduler.calendars.disconnect': async (client) => {
      const asked = await client.post('/scheduler/calendars/connect/google', {});
      const back = await google.consent(asked.body.authorization_url);
      const made = await client.get(back.replace('/api/v1', ''));
      assert.equal(made.status, 200, made.text);
      return { path: `/scheduler/calendars/connections/${made.body.connection.id}/disconnect` };
    },
  };
}

/** A connection that somebody with a key has: only sessions connect. */
async function storedConnection(app: TestApp, organization_id: string, user_id: string): Promise<string> {
  const id = `ccon_${organization_id.slice(4)}`;
  await app.database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO scheduler_connections (organization_id, id, user_id, provider, account, account_key, status, created_at,
         updated_at)
       VALUES ($1, $2, $3, 'google', 'hanako@gmail.example', '1001', 'active', now(), now())`,
      [organization_id, id, user_id],
    ),
  );
  return id;
}
