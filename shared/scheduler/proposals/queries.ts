import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type Proposal, ProposalModel, type ProposalRow, proposalColumns, proposalKind } from './record.ts';
import { shownProposals } from './shown.ts';
import type { ProposalStatus } from './transitions.ts';

export type ProposalFilters = LookUps & { status?: readonly ProposalStatus[]; user_id?: string };

const TABLE = ProposalModel.tableName;

/** The query of a list: proposals as they stand by now, whether or not a sweep has seen those that are over. */
export function proposalList(reader: Reader, filters: ProposalFilters, window: Window): ListQuery {
  const { status, user_id, ...look_ups } = filters;
  const query = ProposalModel.table(reader);
  const now = reader.now.toISOString();
  if (status !== undefined) {
    query.where((any) => {
      const stored = status.filter((one) => one !== 'open');
      if (status.includes('open')) {
        any.orWhere((open) => open.where(`${TABLE}.status`, 'open').where(`${TABLE}.expires_at`, '>', now));
      }
      if (stored.length > 0) any.orWhereIn(`${TABLE}.status`, stored);
      if (status.includes('expired')) {
        any.orWhere((over) => over.where(`${TABLE}.status`, 'open').where(`${TABLE}.expires_at`, '<=', now));
      }
    });
  }
  if (user_id !== undefined) query.whereRaw(`${TABLE}.user_ids @> ?::jsonb`, [JSON.stringify([user_id])]);
  return {
    query,
    table: TABLE,
    columns: proposalColumns,
    prefix: proposalKind.prefix,
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: proposalKind, asked: look_ups },
  };
}

/** A window of the proposals that the filters leave. */
export async function proposalPage(
  reader: Reader,
  filters: ProposalFilters,
  window: Window,
): Promise<Page<Proposal>> {
  const page = await pageOf<ProposalRow>(reader, proposalList(reader, filters, window));
  return { ...page, rows: await shownProposals(reader, page.rows) };
}
