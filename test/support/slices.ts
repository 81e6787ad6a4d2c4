import type { Database } from '../../shared/db/database.ts';
import { secretKeysOf } from '../../shared/platform/secrets/keys.ts';
import type { Door } from '../../workers/mail/sending/door.ts';
import { openSender } from '../../workers/mail/sending/sender.ts';
import { sendSlice } from '../../workers/mail/sending/slice.ts';
import type { TestApp } from './app.ts';
import type { Begun } from './begun-campaigns.ts';
import { askForDelivery, takeDelivery } from './deliveries.ts';

/** What a server answers that knows nobody of the address. */
export const gone = {
  kind: 'refused',
  code: 550,
  text: '5.1.1 nobody here',
  reply: '550 5.1.1 nobody here',
  answers: 'rcpt',
} as const;

/** Runs a slice of a campaign here over one connection, without a server: `handOver` is told of each mail and answers for it. */
export async function runSlice(
  app: TestApp,
  { client, campaign_id }: Pick<Begun, 'client' | 'campaign_id'>,
  { database = app.database, handOver }: { database?: Database; handOver: Door['handOver'] },
): Promise<void> {
  const { organization_id } = client.actor;
  const job = { organization_id, queue: 'campaign', name: 'mail.send_slice' } as const;
  const taken = await takeDelivery({ database: app.database }, await askForDelivery(app.database, job));
  const door: Door = { handOver, reset: async () => true, close: () => {} };
  const sender = openSender({ openDoor: async () => door, connections: 1, clock: Date.now });
  const settings = {
    base_url: 'https://service.example',
    secrets: secretKeysOf(app.context.settings),
    per_second: null,
  };
  try {
    await sendSlice({ sender: async () => sender, settings })({ campaign_id }, { ...taken, database });
  } finally {
    sender.end();
  }
}
