import type { Knex } from 'knex';
import { Model, type QueryBuilder } from 'objection';
import type { Reader } from '../kernel/reader.ts';

/**
 * A table whose rows belong to organizations. `of(reader)` is the only way in: bound to the reader's connection
 * (so to its transaction) and to its organization.
 */
export class TenantModel extends Model {
  declare id: string;
  declare organization_id: string;
  /** Told where many rows are written at once: the types of all columns that are not text. */
  static columnTypes?: Readonly<Record<string, string>>;

  static override get idColumn(): string[] {
    return ['organization_id', 'id'];
  }

  /** A query over the rows of the reader's organization. */
  // biome-ignore lint/suspicious/noExplicitAny: Objection's builder is typed by the class that it is called on.
  static of<M extends typeof TenantModel>(this: M, reader: Reader): QueryBuilder<InstanceType<M>, any> {
    const organization = { [`${this.tableName}.organization_id`]: reader.organization_id };
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    return this.query(reader.connection.knex).where(organization) as any;
  }

  /** A query over the rows of the reader's organization without model objects, for lists. */
  static table(reader: Reader): Knex.QueryBuilder {
    const organization = { [`${this.tableName}.organization_id`]: reader.organization_id };
    return reader.connection.from(this.tableName).where(organization);
  }
}
