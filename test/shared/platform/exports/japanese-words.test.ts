import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { activityTypes } from '../../../../shared/crm/activities/record.ts';
import { activityExport } from '../../../../shared/crm/exports/activities.ts';
import { companyExport } from '../../../../shared/crm/exports/companies.ts';
import { dealExport } from '../../../../shared/crm/exports/deals.ts';
import { companyFields } from '../../../../shared/crm/imports/companies/fields.ts';
import { stageTypes } from '../../../../shared/crm/stage-types.ts';
import { recipientStatuses } from '../../../../shared/mail/campaigns/recipients/record.ts';
import { skipReasons } from '../../../../shared/mail/campaigns/words.ts';
import { consentBases, contactStatuses, statusReasons } from '../../../../shared/mail/contacts/record.ts';
import { mailContactExport } from '../../../../shared/mail/exports/contacts.ts';
import { recipientExport } from '../../../../shared/mail/exports/recipients.ts';
import { suppressionExport } from '../../../../shared/mail/exports/suppressions.ts';
import type { Exporter } from '../../../../shared/platform/exports/exporter.ts';
import { bookingStatuses } from '../../../../shared/scheduler/bookings/record.ts';
import { locationTypes } from '../../../../shared/scheduler/event-types/fields.ts';
import { bookingExport } from '../../../../shared/scheduler/exports/bookings.ts';

const wordsOf = ({ words = {} }: Exporter, name: string) => words[name] ?? {};

describe('the Japanese words of a file', () => {
  const CLOSED: [Exporter, string, readonly string[]][] = [
    [dealExport, 'status', stageTypes],
    [activityExport, 'type', activityTypes],
    [mailContactExport, 'status', contactStatuses],
    [mailContactExport, 'status_reason', statusReasons],
    [mailContactExport, 'consent_basis', consentBases],
    [recipientExport, 'status', recipientStatuses],
    [bookingExport, 'status', bookingStatuses],
    [bookingExport, 'location_type', locationTypes],
  ];
  for (const [exporter, name, all] of CLOSED) {
    test(`are there for every ${name} of ${exporter.name}, each its own`, () => {
      const words = wordsOf(exporter, name);
      assert.deepEqual(Object.keys(words).toSorted(), [...all].toSorted());
      assert.equal(new Set(Object.values(words)).size, all.length);
    });
  }

  test('tell why somebody got no mail', () => {
    const known = (exporter: Exporter, all: readonly string[]) =>
      all.filter((reason) => wordsOf(exporter, 'reason')[reason] === undefined);
    assert.deepEqual(known(recipientExport, skipReasons), []);
    assert.deepEqual(known(suppressionExport, [...statusReasons, 'unsubscribed', 'bounced']), []);
  });

  test('stand in columns that there are', () => {
    for (const exporter of [
      companyExport,
      dealExport,
      activityExport,
      mailContactExport,
      suppressionExport,
      recipientExport,
      bookingExport,
    ]) {
      const names = new Set(exporter.columns.map(({ name }) => name));
      const unknown = Object.keys(exporter.words ?? {}).filter((name) => !names.has(name));
      assert.deepEqual(unknown, [], exporter.name);
    }
  });

  test('of companies are those that the import takes for the same', () => {
    for (const [name, words] of Object.entries(companyExport.words!)) {
      const field = companyFields.find((one) => one.name === name)!;
      for (const [word, said] of Object.entries(words)) {
        assert.equal(String((field.parse(said) as { value: unknown }).value), word, said);
      }
    }
  });
});
