import { companyWithAliases } from '../../crm/companies/names.ts';
import { timeZoneOf } from '../../invoicing/settings/queries.ts';
import { todayIn } from '../../kernel/days.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport } from '../../platform/reports/report.ts';
import { allYears } from '../years/queries.ts';
import type { FiscalYear } from '../years/record.ts';
import type { LineFilter } from './figure-statements.ts';
import { parameterFault } from './period.ts';

/** What names no company or no department. */
export const NONE = 'none';

/** The years and the day that the days of a report are found by. */
export async function reportCalendar(
  reader: Reader,
): Promise<{ years: readonly FiscalYear[]; today: string }> {
  const [years, time_zone] = await Promise.all([allYears(reader), timeZoneOf(reader)]);
  return { years, today: todayIn(time_zone, reader.now) };
}

/** What callers narrow a report by. */
export type AskedFilters = {
  account_id?: string | undefined;
  company_id?: string | undefined;
  department_id?: string | undefined;
  tax_category?: string | undefined;
};

/** The filters as a report keeps them. Errors: `unknown_reference` for what is not in the organization. */
export async function filtersOf(reader: Reader, asked: AskedFilters): Promise<AskedFilters> {
  const { account_id, company_id, department_id } = asked;
  if (account_id !== undefined) await requireAccount(reader, account_id);
  // Departments come with attendance: until then no ID is one.
  if (department_id !== undefined && department_id !== NONE) throw unknownParameter('department_id');
  if (company_id === undefined || company_id === NONE) return asked;
  const company = await companyWithAliases(reader, company_id);
  if (!company) throw unknownParameter('company_id');
  return { ...asked, company_id: company.id };
}

async function requireAccount({ connection, organization_id }: Reader, id: string): Promise<void> {
  const [found] = await connection.query(
    'SELECT id FROM accounting_accounts WHERE organization_id = $1 AND id = $2',
    [organization_id, id],
  );
  if (!found) throw unknownParameter('account_id');
}

/** The account of a ledger, which is asked for by its ID or its code. Errors: `unknown_reference`, `validation_failed`. */
export async function ledgerAccountOf(
  { connection, organization_id }: Reader,
  { account_id, account_code }: { account_id?: string | undefined; account_code?: string | undefined },
): Promise<string> {
  if (account_id === undefined && account_code === undefined) {
    throw parameterFault('account_id', 'required', {
      en: 'Send account_id or account_code',
      ja: 'account_id または account_code を指定してください',
    });
  }
  if (account_id !== undefined && account_code !== undefined) {
    throw parameterFault('account_code', 'not_allowed', {
      en: 'Send account_id or account_code',
      ja: 'account_id と account_code は同時に指定できません',
    });
  }
  const [column, value] = account_id === undefined ? ['code', account_code] : ['id', account_id];
  const [found] = await connection.query<{ id: string }>(
    `SELECT id FROM accounting_accounts WHERE organization_id = $1 AND ${column} = $2`,
    [organization_id, value],
  );
  if (!found) throw unknownParameter(account_id === undefined ? 'account_code' : 'account_id');
  return found.id;
}

/** A parameter that names a record which is not in the organization: 422. */
export function unknownParameter(path: string): Failure {
  const message = {
    en: `${path} names a record that does not exist in this organization`,
    ja: `${path} のレコードはこの組織に存在しません`,
  };
  return parameterFault(path, 'unknown_reference', message, 'unknown_reference');
}

/** The lines that the filters leave; companies that were merged into the one asked for count as it. */
export async function lineFilterOf(reader: Reader, asked: AskedReport): Promise<LineFilter> {
  const { company_id, department_id, tax_category } = asked;
  const company =
    company_id === undefined || company_id === NONE ? null : await companyWithAliases(reader, company_id);
  return {
    company_ids: company_id === undefined ? undefined : (company?.ids ?? ['']),
    department_id: department_id === NONE ? '' : department_id,
    tax_category,
  };
}

/** What is asked for, without what nobody asked. */
export function askedOf(said: Readonly<Record<string, string | undefined>>): AskedReport {
  const known = Object.entries(said).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return Object.fromEntries(known);
}
