import assert from 'node:assert/strict';
import type { Client } from './client.ts';
import type { GoogleFake } from './google.ts';

type Call = { path: string; body?: unknown };

/** A call that succeeds, for every POST about calendars elsewhere. They need the fake in the settings, and a session. */
export function calendarCalls(google: GoogleFake): Record<string, (client: Client) => Promise<Call>> {
  async function connection(client: Client): Promise<string> {
    const asked = await client.post('/scheduler/calendars/connect/google', {});
    const back = await google.consent(asked.body.authorization_url);
    const made = await client.get(back.replace('/api/v1', ''));
    assert.equal(made.status, 200, made.text);
    return made.body.connection.id;
  }
  return {
    'scheduler.calendars.connect_google': async () => ({
      path: '/scheduler/calendars/connect/google',
      body: { return_to: '/settings' },
    }),
    'scheduler.calendars.sync': async (client) => ({
      path: `/scheduler/calendars/connections/${await connection(client)}/sync`,
    }),
    'scheduler.calendars.disconnect': async (client) => ({
      path: `/scheduler/calendars/connections/${await connection(client)}/disconnect`,
    }),
  };
}
