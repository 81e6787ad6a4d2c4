import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import { agreementsOf } from '../days/agreements.ts';
import { monthNumber, periodOfDate, shown } from '../days/periods.ts';
import type { Rules } from '../days/rules.ts';
import type { Agreement, Period } from '../days/types.ts';
import { laidAround } from '../records/member-days.ts';
import { todayBy } from '../settings/dated.ts';
import { datedRows } from '../settings/queries.ts';
import { ruleSettings } from '../settings/rules.ts';

/** The month of a closing period. */
export function yearMonth() {
  return z
    .string()
    .regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, {
      error: says({ en: 'must be a month as YYYY-MM', ja: 'は YYYY-MM 形式の月で指定してください' }),
    })
    .meta({ examples: ['2026-04'] });
}

/** A month as the organization's rules have it; the same for all of its members. */
export type MonthLaid = {
  month: string;
  period: Period;
  today: string;
  rules: Rules;
  agreementOf: (month: string) => Agreement;
};

/** Reads what the rules say of a month. */
export async function laidFor(reader: Reader, month: string): Promise<MonthLaid> {
  const { rules, dated, plain } = await laidAround(reader, { from: `${month}-01`, to: `${month}-28` });
  return {
    month,
    period: shown(rules.periods.ofMonth(monthNumber(month))),
    today: todayBy(dated, reader.now),
    rules,
    agreementOf: agreementsOf(ruleSettings(dated, plain)),
  };
}

/** The month whose period runs. */
export async function presentMonth(reader: Reader): Promise<string> {
  const dated = await datedRows(reader);
  return periodOfDate(ruleSettings(dated, { agreements: [] }), todayBy(dated, reader.now)).month;
}
