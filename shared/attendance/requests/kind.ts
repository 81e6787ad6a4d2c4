import type { Knex } from 'knex';
import type { LookUps } from '../../db/look-ups.ts';
import type { TenantModel } from '../../db/model.ts';
import type { Fact } from '../../kernel/fact.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { RecordKind } from '../../kernel/record-kind.ts';
import type { Work } from '../../kernel/work.ts';
import type { Dates } from '../days/reach.ts';
import type { Whose } from '../sight/sight.ts';
import type { RequestRow } from './record.ts';
import type { RequestStatus } from './statuses.ts';
import type { RequestKind } from './transitions.ts';

/** What lists of requests are narrowed by; a kind may have more. */
export type RequestFilters = LookUps &
  Whose & {
    status?: readonly RequestStatus[];
    /** Requests that touch these days, both within. */
    from?: string;
    to?: string;
  };

/** A kind of request, and what is its own beside what all kinds have in common. */
export type RequestType<Row extends RequestRow, Shown> = {
  kind: RequestKind;
  model: typeof TenantModel;
  columns: readonly (keyof Row & string)[];
  /** What its records are looked up by. */
  records: RecordKind;
  facts: { created: Fact; updated: Fact };
  /** The first and the last day that a request is about. */
  datesOf(row: Row): Dates;
  /** Sort fields of its list beside those of every list, and their columns. */
  sorts: Readonly<Record<string, string>>;
  /** Leaves the requests that the days, and what else is its own among the filters, ask for. */
  narrow(query: Knex.QueryBuilder, filters: RequestFilters): void;
  /** Requests as the API shows them, in the order of the rows. */
  show(reader: Reader, rows: readonly Row[]): Promise<Shown[]>;
  /** Sees that a locked request may still be approved, as far as the table of transitions cannot know. */
  requireApprovable?(work: Work, row: Row): Promise<void>;
  /** What an approval changes beside the request; it was written before. */
  takeEffect(work: Work, row: Row): Promise<void>;
  /** The same for an approved request that is cancelled; absent where the table lets none. */
  loseEffect?(work: Work, row: Row): Promise<void>;
  /** Asks for the mail that tells the member of a decision. */
  tell(work: Work, row: Row): Promise<void>;
};
