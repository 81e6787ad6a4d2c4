import { dateOf, dayOf } from '../kernel/local-time.ts';
import type { Reader } from '../kernel/reader.ts';
import { dayTypeOf } from './days/day-plan.ts';
import { rulesOf, settingsOn } from './days/rules.ts';
import type { Holiday, OrganizationRules } from './days/types.ts';
import { companyHolidays } from './holidays/days.ts';
import { nationalByDate } from './holidays/national.ts';
import { allSchedules } from './schedules/queries.ts';
import type { DatedRow } from './settings/dated.ts';
import type { PlainFields } from './settings/fields.ts';
import { datedRows, plainSettings } from './settings/queries.ts';
import { ruleSettings } from './settings/rules.ts';

/** What the organization laid down for everybody, with its holidays between two dates: what days are computed with. */
export async function organizationRules(
  reader: Reader,
  from: string,
  to: string,
): Promise<OrganizationRules> {
  return (await organizationLaid(reader, from, to)).rules;
}

/** The same with the settings that it follows from, for who needs both. */
export async function organizationLaid(
  reader: Reader,
  from: string,
  to: string,
): Promise<{ rules: OrganizationRules; dated: DatedRow[]; plain: PlainFields }> {
  const [dated, plain, schedules, company] = await Promise.all([
    datedRows(reader),
    plainSettings(reader),
    allSchedules(reader),
    companyHolidays(reader, from, to),
  ]);
  const national = [...nationalByDate.keys()].filter((date) => date >= from && date <= to);
  const holidays: Holiday[] = [
    ...national.map((date) => ({ date, kind: 'national' as const, counts_as: null })),
    ...company.map(({ date, counts_as }) => ({ date, kind: 'company' as const, counts_as })),
  ];
  return { rules: { settings: ruleSettings(dated, plain), schedules, holidays }, dated, plain };
}

/** The dates between two, both included, on which the organization works, whatever rosters say of single members. */
export async function workingDays(reader: Reader, from: string, to: string): Promise<string[]> {
  const rules = rulesOf(await organizationRules(reader, from, to));
  const days: string[] = [];
  for (let day = dayOf(from); day <= dayOf(to); day += 1) {
    const type = dayTypeOf(rules, settingsOn(rules, day), day, 'fixed', undefined);
    if (type === 'workday') days.push(dateOf(day));
  }
  return days;
}
