import { timeZoneOf } from '../../invoicing/settings/queries.ts';
import { todayIn } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type RetentionRule, retentionRules } from '../documents/retention.ts';
import { findAccountingSettings } from '../settings/queries.ts';
import type { AccountingSettings } from '../settings/record.ts';
import { allYears } from '../years/queries.ts';
import type { FiscalYear } from '../years/record.ts';
import type { Asking } from './transitions.ts';

/** What an operation on entries is done with: the settings, who asks, and the day. */
export type Context = {
  settings: AccountingSettings;
  asking: Asking;
  today: string;
  years: readonly FiscalYear[];
  retention: readonly RetentionRule[];
};

/** The context of a request. */
export async function contextOf(reader: Reader): Promise<Context> {
  const [settings, time_zone, years, retention] = await Promise.all([
    findAccountingSettings(reader),
    timeZoneOf(reader),
    allYears(reader),
    retentionRules(reader),
  ]);
  const { required, four_eyes } = settings.approval;
  const { grants, user_id } = reader.actor;
  return {
    settings,
    asking: { grants, user_id, approval_required: required, four_eyes },
    today: todayIn(time_zone, reader.now),
    years,
    retention,
  };
}
