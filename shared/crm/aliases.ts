import { Failure, notFound } from '../kernel/failure.ts';
import type { Reader } from '../kernel/reader.ts';
import type { Table } from '../kernel/work.ts';

/** What stays of records that were merged into others: their old ID leads to the survivor. */
export const ALIASES: Table = { tableName: 'crm_aliases' };

/** The ID of the record that `id` was merged into, or null. */
export async function survivorOf(reader: Reader, id: string): Promise<string | null> {
  const [alias] = await reader.connection.query<{ survivor_id: string }>(
    `SELECT coalesce(company_id, contact_id) AS survivor_id FROM crm_aliases
      WHERE organization_id = $1 AND id = $2`,
    [reader.organization_id, id],
  );
  return alias?.survivor_id ?? null;
}

/** Why a record cannot be changed that is not there: 404, naming the survivor where it was merged into one. */
export async function missing(reader: Reader, id: string): Promise<Failure> {
  const survivor_id = await survivorOf(reader, id);
  if (survivor_id === null) return notFound();
  return new Failure('not_found', {
    detail: { en: `${id} was merged into ${survivor_id}`, ja: `${id} は ${survivor_id} に統合されました` },
    members: { survivor_id },
  });
}

/** A condition for rows of a company; the ID of a company that was merged means its survivor. */
export function isCompany(reader: Reader, table: string, company_id: string): [string, string[]] {
  return isRecord(reader, table, 'company_id', company_id);
}

/** A condition for rows of a contact; the ID of a contact that was merged means its survivor. */
export function isContact(reader: Reader, table: string, contact_id: string): [string, string[]] {
  return isRecord(reader, table, 'contact_id', contact_id);
}

/** An array in SQL of all IDs that lead to the company that an ID leads to: its own, and those that were merged into it. */
export function companyIds(reader: Reader, company_id: string): [string, string[]] {
  return recordIds(reader, 'company_id', company_id);
}

/** The same of a contact. */
export function contactIds(reader: Reader, contact_id: string): [string, string[]] {
  return recordIds(reader, 'contact_id', contact_id);
}

function recordIds(
  { organization_id }: Reader,
  column: 'company_id' | 'contact_id',
  id: string,
): [string, string[]] {
  const survivor = `coalesce((SELECT ${column} FROM crm_aliases WHERE organization_id = ? AND id = ?), ?)`;
  const values = [organization_id, id, id];
  return [
    `ARRAY(SELECT ${survivor} UNION ALL
           SELECT id FROM crm_aliases WHERE organization_id = ? AND ${column} = ${survivor})`,
    [...values, organization_id, ...values],
  ];
}

function isRecord(
  reader: Reader,
  table: string,
  column: 'company_id' | 'contact_id',
  id: string,
): [string, string[]] {
  return [
    `"${table}".${column} = coalesce(
       (SELECT ${column} FROM crm_aliases WHERE organization_id = ? AND id = ?), ?)`,
    [reader.organization_id, id, id],
  ];
}
