import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { clockBefore, insertRow, MINUTE } from '../../support/lively-rows.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';

const { at } = clockBefore(new Date());
const HOUR = 60 * MINUTE;
const app = await startApp({ environment: WITH_OPERATORS });

before(async () => {
  const { actor } = await app.actor();
  const { organization_id, user_id } = actor;
  const times = { created_at: at(9 * HOUR), updated_at: at(9 * HOUR) };
  await app.database.withConnection('*', async ({ query }) => {
    for (const [id, pending_expires_at] of [
      ['book_late', at(2 * HOUR)],
      ['book_in_time', at(-HOUR)],
    ] as const) {
      await insertRow(query, 'scheduler_bookings', {
        organization_id,
        id,
        title: 'secret talk',
        status: 'pending',
        is_counted: true,
        start: at(-3 * HOUR),
        end: at(-4 * HOUR),
        guest: { name: 'secret guest' },
        guest_email_key: 'secret',
        additional_guests: [],
        answers: {},
        user_ids: [],
        assigned_at: at(0),
        source: 'public',
        revision: 0,
        ics_sequence: 0,
        history: [],
        pending_expires_at,
        calendar_sync: 'none',
        metadata: {},
        search_text: '',
        search_grams: [],
        ...times,
      });
    }
    await insertRow(query, 'scheduler_proposals', {
      organization_id,
      id: 'prop_late',
      title: 'secret talk',
      duration_minutes: 30,
      user_ids: [],
      candidates: [],
      guest: {},
      hold: 'none',
      status: 'open',
      expires_at: at(3 * HOUR),
      metadata: {},
      ...times,
    });
    await insertRow(query, 'scheduler_reminders', {
      organization_id,
      record_id: 'book_late',
      revision: 0,
      minutes_before: 5,
      recipient: 'guest',
      due_at: at(HOUR),
    });
    for (const [status, age] of Object.entries({ active: 9, reauth_required: 5, error: 6 })) {
      await insertRow(query, 'scheduler_connections', {
        organization_id,
        id: `ccon_${status}`,
        user_id,
        provider: 'google',
        account: 'secret@example.com',
        account_key: status,
        status,
        sync_is_queued: false,
        ...times,
        updated_at: at(age * HOUR),
      });
    }
    await insertRow(query, 'scheduler_calendars', {
      organization_id,
      connection_id: 'ccon_active',
      id: 'primary',
      name: 'secret',
      is_primary: true,
      checks_conflicts: true,
      is_write_target: true,
      position: 0,
      last_synced_at: at(4 * HOUR),
      next_sync_at: at(-MINUTE),
    });
    for (const [status, age] of Object.entries({ pending: 7, failed: 8 })) {
      await insertRow(query, 'scheduler_calendar_entries', {
        organization_id,
        record_id: `book_${status}`,
        user_id,
        connection_id: 'ccon_active',
        calendar_id: 'primary',
        external_key: status,
        is_wanted: true,
        revision: 0,
        status,
        updated_at: at(age * HOUR),
      });
    }
  });
});

describe('the scheduler of all organizations', () => {
  test('is a panel of what waits and failed, with ages and without names', async () => {
    const text = await (await fetchAsOperator(`${app.base_url}/ops`)).text();
    const panel = text.slice(text.indexOf('Scheduler of all organizations'));
    for (const [title, value, age] of [
      ['Bookings that wait for confirmation', 2, 2],
      ['Bookings whose expiry is overdue', 1, 2],
      ['Proposals whose expiry is overdue', 1, 3],
      ['Reminders behind', 1, 1],
      ['Entries to be written', 1, 7],
      ['Calendars that are connected', 1, null],
      ['Calendars that their owners have to connect again', 1, 5],
      ['Calendars that cannot be read', 1, 6],
      ['Calendars that were not read for an hour', 1, 4],
      ['Bookings that could not be written into calendars', 1, 8],
    ] as const) {
      const told = age === null ? '–' : `${age} h ago`;
      assert.match(
        panel,
        new RegExp(`${title}(?:(?!</tr>)[\\s\\S])*?>${value}<(?:(?!</tr>)[\\s\\S])*?${told}`),
      );
    }
    assert.doesNotMatch(panel, /secret/);
  });

  test('are numbers at /metrics', async () => {
    const told = await (await fetch(`${app.base_url}/metrics`)).text();
    assert.match(told, /^scheduler_bookings_overdue 1$/m);
    assert.match(told, /^scheduler_calendars_error 1$/m);
    assert.match(told, /^scheduler_calendar_entries_failed_oldest_seconds (28|29|30)\d{3}\b/m);
  });
});
