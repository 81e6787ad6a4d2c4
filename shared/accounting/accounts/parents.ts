import { Failure, invalid, unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { type AccountRow, accountColumns, accountOf } from './queries.ts';
import type { Account } from './record.ts';

/** Levels of a chart, the root counted. */
const MOST_LEVELS = 4;

/** Lets one change of what stands below what go at a time in an organization. */
export async function lockParents(work: Work): Promise<void> {
  await work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `accounting_accounts.parent_id ${work.organization_id}`,
  ]);
}

/**
 * The account that is to be a parent; one change of parents at a time in an organization, so that two cannot close a
 * circle between them. Errors: `unknown_reference`.
 */
export async function parentOf(work: Work, parent_id: string | null | undefined): Promise<Account | null> {
  if (!parent_id) return null;
  await lockParents(work);
  const [row] = await work.connection.query<AccountRow>(
    `SELECT ${accountColumns.join(', ')} FROM accounting_accounts WHERE organization_id = $1 AND id = $2 FOR KEY SHARE`,
    [work.organization_id, parent_id],
  );
  if (!row) throw unknownReference('/parent_id', parent_id);
  return accountOf(row, false);
}

/** Sees that an account may stand below this parent. Errors: `cycle`, `validation_failed` at /parent_id. */
export async function refusePlace(work: Work, id: string, parent_id: string): Promise<void> {
  const [found] = await work.connection.query<{ above: string[]; levels_below: number }>(
    `WITH RECURSIVE above AS (
       SELECT id, parent_id, 1 AS level FROM accounting_accounts WHERE organization_id = $1 AND id = $3
       UNION ALL
       SELECT parent.id, parent.parent_id, above.level + 1 FROM accounting_accounts AS parent
         JOIN above ON parent.organization_id = $1 AND parent.id = above.parent_id
        WHERE above.level < 10
     ), below AS (
       SELECT id, 1 AS level FROM accounting_accounts WHERE organization_id = $1 AND id = $2
       UNION ALL
       SELECT child.id, below.level + 1 FROM accounting_accounts AS child
         JOIN below ON child.organization_id = $1 AND child.parent_id = below.id
        WHERE below.level < 10
     )
     SELECT ARRAY(SELECT id FROM above) AS above, COALESCE((SELECT max(level) FROM below), 1) AS levels_below`,
    [work.organization_id, id, parent_id],
  );
  const { above, levels_below } = found!;
  if (above.includes(id)) throw cycle(id, parent_id);
  if (above.length + levels_below > MOST_LEVELS) {
    throw invalid('/parent_id', 'too_deep', {
      en: `parent_id would make ${above.length + levels_below} levels; accounts have ${MOST_LEVELS} at most`,
      ja: `parent_id を指定すると${above.length + levels_below}階層になります。勘定科目は${MOST_LEVELS}階層までです`,
    });
  }
}

function cycle(id: string, parent_id: string): Failure {
  const message = {
    en: `${parent_id} is ${id} itself or belongs to it`,
    ja: `${parent_id} は ${id} 自身か、その下にある勘定科目です`,
  };
  return new Failure('cycle', {
    detail: message,
    errors: [{ in: 'body', path: '/parent_id', code: 'cycle', message }],
  });
}
