import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../../shared/kernel/id.ts';
import { emailKey, suppressionHash } from '../../../../shared/mail/email-key.ts';
import { startApp } from '../../../support/app.ts';
import { type Begun, begunCampaign } from '../../../support/begun-campaigns.ts';

const app = await startApp();

type Row = { email: string | null; status: string; reason: string | null };

const standing = ({ campaign_id }: Begun) =>
  app.database.withConnection('*', ({ query }) =>
    query<Row>(
      'SELECT email, status, reason FROM mail_campaign_recipients WHERE campaign_id = $1 ORDER BY number',
      [campaign_id],
    ),
  );

const markNext = ({ act, mark }: Begun, most: number) =>
  act((work) => mark(work, newId('dlv', work.now), most));

/** The contacts of a campaign by their addresses at its start. */
async function contactsOf({ client }: Begun): Promise<Map<string, string>> {
  const { items } = (await client.get('/mail/contacts?limit=100')).body;
  return new Map(items.map(({ id, email }: { id: string; email: string }) => [email, id]));
}

async function move({ client }: Begun, id: string | undefined, email: string): Promise<void> {
  const changed = await client.patch(`/mail/contacts/${id}`, { email });
  assert.equal(changed.status, 200, changed.text);
}

describe('a contact whose address changes after the start', () => {
  test('gets the mail at the new one, which its recipient tells from then on', async () => {
    const campaign = await begunCampaign(app, ['old@example.jp']);
    const contacts = await contactsOf(campaign);
    await move(campaign, contacts.get('old@example.jp'), 'New@example.jp');
    assert.deepEqual(await markNext(campaign, 10), [1]);
    assert.deepEqual(await standing(campaign), [
      { email: 'New@example.jp', status: 'sending', reason: null },
    ]);
    const [row] = await app.database.withConnection('*', ({ query }) =>
      query<{ email_key: string; email_hash: Buffer }>(
        'SELECT email_key, email_hash FROM mail_campaign_recipients WHERE campaign_id = $1',
        [campaign.campaign_id],
      ),
    );
    const { organization_id } = campaign.client.actor;
    const email_key = emailKey('New@example.jp');
    assert.equal(row!.email_key, email_key);
    assert.deepEqual(row!.email_hash, suppressionHash(organization_id, email_key));
  });

  test('gets none at one that is suppressed, or that no server takes', async () => {
    const campaign = await begunCampaign(app, ['a@example.jp', 'b@example.jp', 'c@example.jp']);
    const contacts = await contactsOf(campaign);
    const refused = await campaign.client.post('/mail/suppressions', { email: 'never@example.jp' });
    assert.equal(refused.status, 201, refused.text);
    await app.database.withConnection(campaign.client.actor.organization_id, async ({ query }) => {
      const change = 'UPDATE mail_contacts SET email = $2, email_key = $2 WHERE id = $1';
      await query(change, [contacts.get('a@example.jp'), 'never@example.jp']);
      await query(change, [contacts.get('b@example.jp'), 'väter@example.jp']);
    });
    await markNext(campaign, 10);
    assert.deepEqual(await standing(campaign), [
      { email: 'never@example.jp', status: 'skipped', reason: 'suppressed' },
      { email: 'väter@example.jp', status: 'skipped', reason: 'invalid_address' },
      { email: 'c@example.jp', status: 'sending', reason: null },
    ]);
  });

  test('gets none at one at which another recipient has had it, also where that one was erased', async () => {
    const campaign = await begunCampaign(
      app,
      ['a', 'b', 'c', 'd'].map((name) => `${name}@example.jp`),
    );
    const [first, second, third, fourth] = [...(await contactsOf(campaign)).entries()]
      .sort()
      .map(([, id]) => id);
    assert.deepEqual(await markNext(campaign, 2), [1, 2]);
    await move(campaign, first, 'elsewhere@example.jp');
    await move(campaign, third, 'a@example.jp');
    assert.equal((await campaign.client.delete(`/mail/contacts/${second}`)).status, 200);
    await move(campaign, fourth, 'b@example.jp');
    assert.deepEqual(await markNext(campaign, 10), []);
    assert.deepEqual(await standing(campaign), [
      { email: 'a@example.jp', status: 'sending', reason: null },
      { email: null, status: 'sending', reason: null },
      { email: 'a@example.jp', status: 'skipped', reason: 'repeated_address' },
      { email: 'b@example.jp', status: 'skipped', reason: 'repeated_address' },
    ]);
  });

  test('and who comes back to an address that somebody else had meanwhile gets none there either', async () => {
    const campaign = await begunCampaign(app, ['a@example.jp', 'b@example.jp']);
    const contacts = await contactsOf(campaign);
    const [first, second] = [contacts.get('a@example.jp'), contacts.get('b@example.jp')];
    await move(campaign, second, 'c@example.jp');
    await move(campaign, first, 'b@example.jp');
    assert.deepEqual(await markNext(campaign, 1), [1]);
    await move(campaign, first, 'a@example.jp');
    await move(campaign, second, 'b@example.jp');
    assert.deepEqual(await markNext(campaign, 1), []);
    assert.deepEqual(await standing(campaign), [
      { email: 'b@example.jp', status: 'sending', reason: null },
      { email: 'b@example.jp', status: 'skipped', reason: 'repeated_address' },
    ]);
  });

  test('two who change theirs with each other get one mail each', async () => {
    const campaign = await begunCampaign(app, ['a@example.jp', 'b@example.jp']);
    const contacts = await contactsOf(campaign);
    await move(campaign, contacts.get('a@example.jp'), 'c@example.jp');
    await move(campaign, contacts.get('b@example.jp'), 'a@example.jp');
    await move(campaign, contacts.get('a@example.jp'), 'b@example.jp');
    assert.deepEqual(await markNext(campaign, 10), [1, 2]);
    assert.deepEqual(
      (await standing(campaign)).map(({ email, status }) => [email, status]),
      [
        ['b@example.jp', 'sending'],
        ['a@example.jp', 'sending'],
      ],
    );
  });
});

test('no address is marked twice while addresses wander and many slices mark at a time', async () => {
  const emails = Array.from({ length: 60 }, (_, n) => `p${n}@example.jp`);
  const campaign = await begunCampaign(app, emails);
  const ids = [...(await contactsOf(campaign)).values()];
  const { organization_id } = campaign.client.actor;
  const isQueued = async () => (await standing(campaign)).some(({ status }) => status === 'queued');
  let ended = false;
  const slice = async () => {
    while (await isQueued()) await markNext(campaign, 2);
  };
  const write = (id: string, email: string) =>
    app.database.withConnection(organization_id, ({ query }) =>
      query('UPDATE mail_contacts SET email = $2, email_key = $2 WHERE id = $1', [id, email]),
    );
  /** Two contacts change addresses, each step in a transaction of its own. */
  const wander = async (worker: number) => {
    for (let round = 0; !ended; round += 1) {
      const mine = ids.filter((_, index) => index % 3 === worker);
      const [one, other] = [mine[round % mine.length]!, mine[(round * 7 + 1) % mine.length]!];
      if (one === other) continue;
      const rows = await app.database.withConnection(organization_id, ({ query }) =>
        query<{ id: string; email: string }>('SELECT id, email FROM mail_contacts WHERE id = ANY ($1)', [
          [one, other],
        ]),
      );
      const now = new Map(rows.map(({ id, email }) => [id, email]));
      await write(one, `between-${worker}@example.jp`);
      await write(other, now.get(one)!);
      await write(one, now.get(other)!);
    }
  };
  const wandering = [0, 1, 2].map(wander);
  try {
    await Promise.all([slice(), slice(), slice()]);
  } finally {
    ended = true;
    await Promise.all(wandering);
  }
  const mailed = (await standing(campaign)).flatMap(({ email, status }) =>
    status === 'sending' ? [email] : [],
  );
  assert.ok(mailed.length > emails.length / 3, String(mailed.length));
  assert.deepEqual(mailed.toSorted(), [...new Set(mailed)].sort());
});
