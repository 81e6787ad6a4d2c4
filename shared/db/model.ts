import type { Knex } from 'knex';
import type { Reader } from '../kernel/reader.ts';

/**
 * A table whose rows belong to organizations. `table(reader)` is the only way in: bound to the reader's connection (so to
 * its transaction) and to its organization.
 */
export class TenantModel {
  declare id: string;
  declare organization_id: string;

  static tableName: string;
  /** The columns of JSON: what is written to them becomes text. */
  static jsonAttributes: string[] = [];

  /** A query over the rows of the reader's organization. */
  static table(reader: Reader): Knex.QueryBuilder {
    const organization = { [`${this.tableName}.organization_id`]: reader.organization_id };
    return reader.connection.knex(this.tableName).where(organization);
  }
}
