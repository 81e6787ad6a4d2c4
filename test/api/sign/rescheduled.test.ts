import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../../support/app.ts';
import { draftingIn } from '../../support/drafting.ts';

const app = await startApp({ now: () => new Date('2026-12-01T01:23:45.000Z') });
const drafting = draftingIn(app);

/** A document that was sent, and how it is changed. */
async function sent(signers: object[] = [{}]) {
  const draft = await drafting({ signers });
  assert.equal((await draft.act('send')).status, 200);
  const change = (fields: object) => draft.sender.patch(draft.path, fields);
  const next = ({ body }: Awaited<ReturnType<typeof change>>) =>
    body.document.signers.map(
      ({ next_reminder_at }: { next_reminder_at: string | null }) => next_reminder_at,
    );
  const warned = async () =>
    (
      await draft.set<{ warn_at: string }>('SELECT warn_at FROM sign_documents WHERE organization_id = $1')
    )[0]!.warn_at;
  return { ...draft, change, next, warned };
}

describe('a change of what was sent', () => {
  it('plans reminders anew by other rules, for those who are asked and whose mail has not failed', async () => {
    const { change, next, set, signer_ids } = await sent([{}, {}, { order_group: 2 }]);
    await set(
      "UPDATE sign_signers SET delivery = 'failed', next_reminder_at = NULL WHERE organization_id = $1 AND id = $2",
      [signer_ids[1]],
    );
    const moved = await change({ reminders: { first_after_days: 1, hour: 10 } });
    assert.equal(moved.status, 200, moved.text);
    assert.deepEqual(next(moved), ['2026-12-02T01:00:00.000Z', null, null]);
    assert.deepEqual(next(await change({ reminders: { enabled: false } })), [null, null, null]);
  });

  it('moves warning and reminders with the expiry', async () => {
    const { change, next, warned } = await sent();
    assert.equal(await warned(), '2027-02-26T15:00:00.000Z');
    const late = await change({ expires_at: '2026-12-20T00:00:00.000Z' });
    assert.deepEqual(next(late), ['2026-12-04T00:00:00.000Z']);
    assert.equal(await warned(), '2026-12-17T00:00:00.000Z');
    assert.deepEqual(next(await change({ expires_at: '2026-12-04T00:00:00.000Z' })), [null]);
  });

  it('leaves each member that signers see: 409 frozen', async () => {
    const { change, signer_ids } = await sent();
    const members = {
      title: '別の題名',
      message: '別の伝言',
      locale: 'en',
      time_zone: 'Europe/Berlin',
      allow_forward: true,
      signers: [{ id: signer_ids[0], name: '鈴木 一郎' }],
      fields: [],
    };
    for (const [member, value] of Object.entries(members)) {
      const { status, body } = await change({ [member]: value });
      assert.deepEqual([status, body.code, body.frozen], [409, 'frozen', [member]]);
    }
  });
});
