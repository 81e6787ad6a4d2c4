import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn } from '../../support/facts.ts';
import { publishedForm } from '../../support/forms-made.ts';
import { overtaken } from '../../support/held.ts';
import { newMember, newOwner } from '../../support/people.ts';

const app = await startApp();

describe('the settings of a form', () => {
  test('cannot name a mailing list that is removed at that moment', async () => {
    const staff = await app.actor();
    const { organization_id } = staff.actor;
    const { id } = await publishedForm(staff);
    const { list } = (await staff.post('/mail/lists', { name: '会員' })).body;
    const reply = await overtaken(
      { database: app.database, organization_id },
      ({ query }) =>
        query('DELETE FROM mail_lists WHERE organization_id = $1 AND id = $2', [organization_id, list.id]),
      () =>
        staff.patch(`/forms/${id}/settings`, {
          mailing_list: { list_id: list.id, email_field: 'email', consent_field: 'news' },
        }),
    );
    assert.deepEqual(
      [reply.status, reply.body.code, faultsIn(reply.body)],
      [422, 'unknown_reference', ['/mailing_list/list_id unknown_reference']],
    );
  });

  test('are there from the beginning', async () => {
    const staff = await app.actor();
    const { form } = (await staff.post('/forms', { title: 'A' })).body;
    const { updated_at, ...settings } = (await staff.get(`/forms/${form.id}/settings`)).body.settings;
    assert.equal(updated_at, form.created_at);
    assert.deepEqual(settings, {
      id: form.id,
      object: 'forms.settings',
      time_zone: 'Asia/Tokyo',
      opens_at: null,
      closes_at: null,
      max_responses: null,
      one_per: 'none',
      one_per_field: null,
      access: 'open',
      embed_origins: [],
      allow_edit_hours: 0,
      resume_days: 14,
      retention_days: null,
      notify: { emails: [], include_answers: true },
      receipt_mail: { enabled: false, field_id: null, subject: null, message: null, include_answers: false },
      spam: { min_seconds: 3, max_links: 5, blocked_words: [], per_address: 60, challenge: 'off', burst: 30 },
      crm: {
        enabled: false,
        map: {},
        on_match: 'link_only',
        tag_ids: [],
        owner_id: null,
        create_company: false,
      },
      mailing_list: null,
    });
  });

  test('change at once and are merged by key, and the form says whether it takes responses', async () => {
    const staff = await app.actor();
    const { id } = await publishedForm(staff);
    const path = `/forms/${id}/settings`;
    await staff.patch(path, { spam: { burst: 7 }, notify: { emails: ['a@example.co.jp'] } });
    const { settings } = (
      await staff.patch(path, { opens_at: '2099-01-01T00:00:00+09:00', spam: { max_links: 0 } })
    ).body;
    assert.deepEqual([settings.spam.burst, settings.spam.max_links, settings.spam.min_seconds], [7, 0, 3]);
    assert.equal(settings.opens_at, '2098-12-31T15:00:00.000Z');
    assert.deepEqual((await staff.get(`/forms/${id}`)).body.form.accepting, {
      open: false,
      reason: 'not_open',
    });
    const log = (await staff.get(`/forms/${id}/audit-logs?entity_type=settings`)).body.items;
    assert.deepEqual(Object.keys(log[0].changes).sort(), ['opens_at', 'spam']);
  });

  test('are refused all together, each at its path', async () => {
    const staff = await app.actor();
    const { id } = await publishedForm(staff);
    const reply = await staff.patch(`/forms/${id}/settings`, {
      opens_at: '2026-12-02T00:00:00Z',
      closes_at: '2026-12-01T00:00:00Z',
      one_per: 'email',
      receipt_mail: { enabled: true, field_id: 'text' },
      crm: { map: { email: 'gone', shoe_size: 'text', last_name: 'who.last_name' } },
      mailing_list: {
        list_id: 'mlist_01kaj2n5w5fq8b4m0g3v7x9rtc',
        email_field: 'email',
        consent_field: 'text',
      },
    });
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(faultsIn(reply.body), [
      '/closes_at too_small',
      '/crm/map/email unknown_reference',
      '/crm/map/shoe_size unknown_field',
      '/mailing_list/consent_field wrong_type',
      '/one_per_field required',
      '/receipt_mail/field_id wrong_type',
    ]);
  });

  test('let those sites show the form that an origin names, in every header', async () => {
    const staff = await app.actor();
    const { id, slug } = await publishedForm(staff);
    const path = `/forms/${id}/settings`;
    const refused = await staff.patch(path, {
      embed_origins: ['https://www.example.co.jp', 'https://*.example.com', 'https://a;script-src'],
    });
    assert.deepEqual(faultsIn(refused.body), [
      '/embed_origins/1 invalid_format',
      '/embed_origins/2 invalid_format',
    ]);
    const [organization] = await app.database.withConnection(staff.actor.organization_id, ({ query }) =>
      query<{ slug: string }>('SELECT slug FROM organizations WHERE id = $1', [staff.actor.organization_id]),
    );
    const headersOf = async () => (await fetch(`${app.base_url}/f/${organization!.slug}/${slug}`)).headers;
    assert.equal((await headersOf()).get('x-frame-options'), 'DENY');
    await staff.patch(path, { embed_origins: ['https://www.example.co.jp'] });
    const headers = await headersOf();
    assert.match(
      headers.get('content-security-policy')!,
      /frame-ancestors https:\/\/www\.example\.co\.jp(;|$)/,
    );
    assert.equal(headers.get('x-frame-options'), null, 'it knows no sites, and would shut out all of them');
  });

  test('that reach into CRM and mailing lists need the scopes of those, and what they name', async () => {
    const staff = await app.actor();
    const { id } = await publishedForm(staff);
    const path = `/forms/${id}/settings`;
    const { organization_id } = staff.actor;
    const formsAlone = await app.actor({ organization_id, scopes: ['forms:read', 'forms:write'] });
    const crm = { enabled: true, map: { email: 'email', full_name: 'who' } };
    const list_id = (await staff.post('/mail/lists', { name: 'お知らせ' })).body.list.id;
    const mailing_list = { list_id, email_field: 'email', consent_field: 'news' };
    for (const [sent, required_scope] of [
      [{ crm }, 'crm:write'],
      [{ mailing_list }, 'mail:write'],
    ] as const) {
      const refused = await formsAlone.patch(path, sent);
      assert.deepEqual([refused.status, refused.body.required_scope], [403, required_scope]);
      assert.equal((await staff.patch(path, sent)).status, 200);
    }
    assert.equal((await formsAlone.patch(path, { max_responses: 5 })).status, 200);
    const copy = await formsAlone.post(`/forms/${id}/duplicate`, {});
    assert.equal(copy.body.code, 'insufficient_scope');

    const tag_ids = ['tag_01kaj2n5w5fq8b4m0g3v7x9rtc'];
    const unknown = await staff.patch(path, { crm: { tag_ids } });
    assert.deepEqual(faultsIn(unknown.body), ['/crm/tag_ids/0 unknown_reference']);
    const incomplete = await staff.patch(path, { crm: { map: { last_name: 'who.last_name' } } });
    assert.deepEqual(faultsIn(incomplete.body), ['/crm/map required', '/crm/map/email required']);
  });

  test('name nobody as owner of contacts who has left', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    const { id } = await publishedForm(owner, { settings: { crm: { owner_id: member.user_id } } });
    assert.equal((await owner.delete(`/members/${member.member_id}`)).status, 200);
    assert.equal((await owner.get(`/forms/${id}/settings`)).body.settings.crm.owner_id, null);
    const back = await owner.patch(`/forms/${id}/settings`, { crm: { owner_id: member.user_id } });
    assert.deepEqual(faultsIn(back.body), ['/crm/owner_id unknown_reference']);
  });
});
