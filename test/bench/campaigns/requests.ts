import { randomBytes } from 'node:crypto';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { RECIPIENT_TOKENS, tokenOf } from '../../../shared/mail/campaigns/tokens.ts';
import { usableKey } from '../../../shared/platform/links/keys.ts';
import { startSink } from './bench-sink.ts';
import { type Office, openOffice } from './office.ts';

const RECIPIENTS = Number(process.env['BENCH_AMOUNT'] ?? 100_000);
const CALLS = Number(process.env['BENCH_CALLS'] ?? 200);

/** What people wait for on 100,000 contacts: the preview of a segment, and one-click unsubscriptions while a campaign sends. */
export async function requests(): Promise<string> {
  const sink = await startSink();
  const office = await openOffice(RECIPIENTS);
  const filter = { all: [{ field: 'last_name', op: 'equals', value: '佐藤' }] };
  const preview = await p95(CALLS, () => office.call('POST', '/mail/segments/preview', { filter }));
  const workers = await office.startWorkers({ SMTP_URL: sink.url });
  const id = await office.send();
  await office.frozen(id);
  const tokens = await tokensOf(office, id);
  const click = await p95(CALLS, async (call) => {
    const reply = await fetch(`${office.api.base_url}/m/u/${tokens[call]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    await reply.arrayBuffer();
    if (reply.status !== 200) throw new Error(`One-click was answered with ${reply.status}`);
  });
  const { status } = (await office.call('GET', `/mail/campaigns/${id}`)).campaign;
  if (status !== 'sending')
    throw new Error('The campaign was over before the last call: take more recipients');
  await workers.stop();
  sink.stop();
  await office.close();
  return [
    '| | p95 ms | aim |',
    '|---|---|---|',
    `| preview of a segment | ${preview.toFixed(0)} | 300 |`,
    `| one-click while a campaign sends | ${click.toFixed(1)} | 20 |`,
  ].join('\n');
}

async function p95(calls: number, call: (number: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < calls; number += 1) {
    const begun = performance.now();
    await call(number);
    times.push(performance.now() - begun);
  }
  times.sort((left, right) => left - right);
  return times[Math.floor(times.length * 0.95)]!;
}

/** Tokens of recipients, as their mails have them. */
function tokensOf({ database, organization_id }: Office, campaign_id: string): Promise<string[]> {
  return database.withConnection(organization_id, async (connection) => {
    const who = { actor: systemActor, organization_id, request_id: null, ip_address: null };
    const key = await usableKey({ ...who, connection, now: new Date() }, RECIPIENT_TOKENS, () =>
      randomBytes(32),
    );
    const [row] = await connection.query<{ number: number }>(
      'SELECT number FROM mail_campaigns WHERE organization_id = $1 AND id = $2',
      [organization_id, campaign_id],
    );
    const owner = (recipient_number: number) => ({ campaign_number: Number(row!.number), recipient_number });
    return Array.from({ length: CALLS }, (_, index) =>
      tokenOf(key, 'unsubscribe', owner(RECIPIENTS - index)),
    );
  });
}
