import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type CampaignMail, campaignMail, countsOf } from '../../support/campaign-mails.ts';
import { until } from '../../support/until.ts';

let now = Date.parse('2026-11-28T03:00:00.000Z');
const app = await startApp({ now: () => new Date(now) });

const later = (milliseconds: number) => {
  now += milliseconds;
};

const PERSON = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36' };
const get = (path: string, more: RequestInit = {}) =>
  fetch(`${app.base_url}${path}`, { redirect: 'manual', headers: PERSON, ...more });

const pictureOf = (mail: CampaignMail) => `/m/o/${mail.token('open')}.gif`;
const linkOf = (mail: CampaignMail, index: number) => `/m/c/${mail.token('click')}/${index}`;

const AGREED = '2026-01-01T00:00:00.000Z';

const LINKS = ['https://a.example/1?x={{last_name|お客様}}', 'https://a.example/2', 'https://a.example/3'];

/** A mail whose recipient lets opens and clicks be counted, with links. */
async function tracked({ status = 'sent', links = LINKS, is_tracked = true } = {}) {
  const client = await app.actor();
  const mail = await campaignMail(app, client, { status });
  const { organization_id } = client.actor;
  await app.database.withConnection(organization_id, async ({ query }) => {
    await query(
      'UPDATE mail_campaign_recipients SET tracked = $3 WHERE organization_id = $1 AND campaign_id = $2',
      [organization_id, mail.campaign_id, is_tracked],
    );
    await query('UPDATE mail_contacts SET consent = $2 WHERE organization_id = $1', [
      organization_id,
      JSON.stringify({ basis: 'consent', source: null, at: AGREED, text: null, tracking: is_tracked }),
    ]);
    await query(
      `INSERT INTO mail_campaign_links (organization_id, campaign_id, index, url)
       SELECT $1, $2, place, url FROM unnest($3::text[]) WITH ORDINALITY AS link (url, place)`,
      [organization_id, mail.campaign_id, links],
    );
  });
  const rowOf = async () => {
    const [row] = await app.database.withConnection(organization_id, ({ query }) =>
      query<{ status: string; opened_at: string | null; clicked_at: string | null }>(
        'SELECT status, opened_at, clicked_at FROM mail_campaign_recipients WHERE organization_id = $1 AND id = $2',
        [organization_id, mail.recipient_id],
      ),
    );
    return row!;
  };
  const readsOf = async () => {
    const [row] = await app.database.withConnection(organization_id, ({ query }) =>
      query<{ count: number }>(
        'SELECT count(*)::integer AS count FROM mail_campaign_reads WHERE organization_id = $1 AND campaign_id = $2',
        [organization_id, mail.campaign_id],
      ),
    );
    return row!.count;
  };
  /** Waits until so many reads are counted: a count may go on beside the answer. */
  const counted = (reads: number) =>
    until(`${reads} reads are counted`, async () => (await readsOf()) >= reads);
  return { client, mail, organization_id, rowOf, readsOf, counted };
}

describe('/m/o/{token}.gif and /m/c/{token}/{n}', () => {
  test('a person opens a mail and clicks: once unique, shown on recipient and contact', async () => {
    const { mail, rowOf, counted, organization_id } = await tracked();
    const picture = await get(pictureOf(mail));
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/gif']);
    assert.equal((await picture.arrayBuffer()).byteLength, 42);
    await counted(1);
    const opened_at = new Date(now).toISOString();
    later(60_000);
    await get(pictureOf(mail));
    const click = await get(linkOf(mail, 1));
    assert.deepEqual(
      [click.status, click.headers.get('location'), await click.text(), click.headers.getSetCookie()],
      [302, `https://a.example/1?x=${encodeURIComponent('お客様')}`, '', []],
    );
    await counted(3);
    later(60_000);
    await get(linkOf(mail, 1));
    await counted(4);
    assert.deepEqual(await countsOf(app, mail.campaign_id), {
      opens: 2,
      unique_opens: 1,
      clicks: 2,
      unique_clicks: 1,
    });
    const row = await rowOf();
    assert.deepEqual([row.opened_at, row.clicked_at], [opened_at, new Date(now - 60_000).toISOString()]);
    const [contact] = await app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT last_opened_at, last_clicked_at FROM mail_contacts WHERE organization_id = $1', [
        organization_id,
      ]),
    );
    assert.deepEqual(contact, {
      last_opened_at: new Date(now - 60_000).toISOString(),
      last_clicked_at: new Date(now).toISOString(),
    });
    const [link] = await app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT index, clicks, unique_clicks FROM mail_campaign_link_counts WHERE organization_id = $1', [
        organization_id,
      ]),
    );
    assert.deepEqual(link, { index: 1, clicks: 2, unique_clicks: 1 });
  });

  test('nothing is counted of who has withdrawn that since, and links still lead to their targets', async () => {
    const { client, mail, rowOf, readsOf, counted, organization_id } = await tracked({ status: 'unknown' });
    const contact = `/mail/contacts/${mail.contact_id}`;
    const consent = { basis: 'consent', source: '窓口', at: AGREED };
    assert.equal((await client.patch(contact, { consent: { ...consent, tracking: false } })).status, 200);
    const click = await get(linkOf(mail, 2));
    assert.deepEqual([click.status, click.headers.get('location')], [302, LINKS[1]]);
    assert.equal((await get(pictureOf(mail))).status, 200);
    await client.patch(contact, { consent: null });
    assert.equal((await get(linkOf(mail, 2))).status, 302);
    await client.patch(contact, { consent: { ...consent, tracking: true } });
    await get(linkOf(mail, 3));
    await counted(1);
    assert.equal(await readsOf(), 1, 'what came while it was withdrawn is not stored');
    const { opened_at, clicked_at } = await rowOf();
    assert.deepEqual([opened_at, clicked_at], [null, new Date(now).toISOString()]);
    const [before] = await app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT link_index FROM mail_campaign_reads WHERE organization_id = $1', [organization_id]),
    );
    assert.deepEqual(before, { link_index: 3 });
  });

  test('a robot that fetches every link by HEAD and GET sets nothing, and unsubscribes nobody', async () => {
    const { client, mail, rowOf, counted } = await tracked();
    const paths = [
      pictureOf(mail),
      ...[1, 2, 3].map((index) => linkOf(mail, index)),
      `/m/v/${mail.token('view')}`,
      `/m/u/${mail.token('unsubscribe')}`,
    ];
    const headers = { 'User-Agent': 'ExampleBot/1.0' };
    for (const path of paths) {
      for (const method of ['HEAD', 'GET'])
        assert.ok((await get(path, { method, headers })).status < 400, path);
    }
    await counted(8);
    assert.deepEqual(await countsOf(app, mail.campaign_id), { bot_opens: 2, bot_clicks: 6 });
    assert.deepEqual(await rowOf(), { status: 'sent', opened_at: null, clicked_at: null });
    const { contact } = (await client.get(`/mail/contacts/${mail.contact_id}`)).body;
    assert.equal(contact.status, 'active');
  });

  test('one that looks like a person is told from the third link on; what was counted stays', async () => {
    const { mail, counted } = await tracked();
    for (const [place, index] of [1, 2, 3, 1].entries()) {
      await get(linkOf(mail, index));
      await counted(place + 1);
      later(1_000);
    }
    await get(pictureOf(mail));
    await counted(5);
    assert.deepEqual(await countsOf(app, mail.campaign_id), {
      clicks: 2,
      unique_clicks: 1,
      bot_opens: 1,
      bot_clicks: 2,
    });
  });

  test('a mail of unknown fate that a person opens was sent; a robot proves nothing', async () => {
    const { mail, rowOf, counted } = await tracked({ status: 'unknown' });
    await get(pictureOf(mail), { method: 'HEAD' });
    await counted(1);
    assert.equal((await rowOf()).status, 'unknown');
    await get(pictureOf(mail));
    await counted(2);
    assert.equal((await rowOf()).status, 'sent');
    const counts = await countsOf(app, mail.campaign_id);
    assert.deepEqual([counts['sent'], counts['unknown'], counts['opens']], [1, -1, 1]);
  });

  test('of who has not agreed, or is erased, nothing is counted; the link leads on', async () => {
    const one = await tracked({ is_tracked: false });
    const other = await tracked();
    await other.client.delete(`/mail/contacts/${other.mail.contact_id}`);
    for (const { mail, readsOf } of [one, other]) {
      assert.equal((await get(pictureOf(mail))).status, 200);
      assert.equal((await get(linkOf(mail, 2))).headers.get('location'), 'https://a.example/2');
      assert.equal(await readsOf(), 0);
      assert.deepEqual(await countsOf(app, mail.campaign_id), {});
    }
  });

  test('no count holds a redirect up: its row is locked, and the click goes on', async () => {
    const { mail, counted, organization_id } = await tracked();
    await app.database.withConnection(organization_id, async (connection) => {
      connection.begin();
      await connection.query('SELECT FROM mail_campaign_recipients WHERE organization_id = $1 FOR UPDATE', [
        organization_id,
      ]);
      assert.equal((await get(linkOf(mail, 2))).status, 302);
      await connection.rollback();
    });
    await counted(1);
    assert.deepEqual(await countsOf(app, mail.campaign_id), { clicks: 1, unique_clicks: 1 });
  });

  test('404: a link that the campaign has not, an altered token, one of another purpose', async () => {
    const { mail } = await tracked();
    for (const path of [
      linkOf(mail, 4),
      linkOf(mail, 0),
      `/m/c/${mail.token('click')}/x`,
      `/m/c/${mail.token('open')}/1`,
      `/m/o/${mail.token('click')}.gif`,
      `/m/o/${mail.token('open').slice(0, -1)}.gif`,
    ]) {
      assert.equal((await get(path)).status, 404, path);
    }
  });
});

describe('/m/v/{token}', () => {
  test('the mail as its recipient got it, under a policy that loads pictures alone', async () => {
    const { client, mail } = await tracked();
    const body_html = '<h2>{{last_name|お客様}} 様</h2><a href="https://a.example/2">見る</a>';
    const patched = await client.patch(`/mail/campaigns/${mail.campaign_id}`, {
      subject: '新商品',
      body_html,
    });
    assert.equal(patched.status, 200, patched.text);
    await client.patch(`/mail/contacts/${mail.contact_id}`, { last_name: '<山田>' });
    const reply = await get(`/m/v/${mail.token('view')}`);
    assert.equal(reply.status, 200);
    assert.match(
      reply.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'unsafe-inline'; img-src https: http:/,
    );
    assert.deepEqual(
      [
        reply.headers.get('content-language'),
        reply.headers.get('x-robots-tag'),
        reply.headers.get('cache-control'),
      ],
      ['ja', 'noindex', 'no-store'],
    );
    const html = await reply.text();
    assert.match(html, /&lt;山田&gt; 様/);
    assert.match(html, /href="https:\/\/a\.example\/2"/);
    assert.ok(html.includes(`/m/u/${mail.token('unsubscribe')}`));
    await client.delete(`/mail/contacts/${mail.contact_id}`);
    assert.match(await (await get(`/m/v/${mail.token('view')}`)).text(), /お客様 様/);
  });
});
