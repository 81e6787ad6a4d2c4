import { Failure } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { usesAccount } from '../settings/account-map.ts';
import { findAccountingSettings } from '../settings/queries.ts';
import { allYears, lockBooks } from '../years/queries.ts';
import { normalSide, sections } from './kinds.ts';
import { lockParents, parentOf, refusePlace } from './parents.ts';
import { lockAccount } from './queries.ts';
import { type Account, type AccountInput, AccountModel, type AccountPatch, accountFacts } from './record.ts';
import { columnsOfAccount, newAccount, refuseMixture } from './shape.ts';

/** Makes an account. Errors: `validation_failed`, `unknown_reference`, `already_exists`. */
export async function createAccount(work: Work, input: AccountInput): Promise<Account> {
  const parent = await parentOf(work, input.parent_id);
  const account = newAccount(work, input, parent);
  if (parent) await refusePlace(work, account.id, parent.id);
  work.insert(AccountModel, columnsOfAccount(account));
  work.record(accountFacts.created, { before: null, after: account });
  return account;
}

/**
 * Changes the fields sent. Errors: `not_found`, `precondition_failed`, `cycle`, those of making one, `in_use` for what is
 * fixed once lines are posted (type) or in a closed year (section and what the cash flow takes it for).
 */
export async function updateAccount(work: Work, id: string, patch: AccountPatch): Promise<Account> {
  const before = await lockAccount(work, id);
  work.precondition(before);
  const metadata = metadataAfter(before.metadata, patch.metadata);
  const changed: Account = { ...before, ...patch, metadata };
  changed.normal_side = normalSide(changed.account_type);
  // The class follows a new section unless it was said, or differs from that of the old section.
  const wasDefault = before.cf_class === sections[before.section].cf_class;
  if (patch.section !== undefined && patch.cf_class === undefined && wasDefault) {
    changed.cf_class = sections[changed.section].cf_class;
  }
  const parent = await parentOf(work, changed.parent_id);
  refuseMixture(changed, parent);
  if (patch.parent_id) await refusePlace(work, id, patch.parent_id);
  await refuseFixed(work, before, changed);
  if (work.isSame(accountFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { id: _, created_at, ...columns } = columnsOfAccount(after);
  work.update(AccountModel, id, columns);
  work.record(accountFacts.updated, { before, after });
  return after;
}

/**
 * Removes an account that nothing refers to. Errors: `not_found`, `precondition_failed`, `in_use` for one with lines,
 * sub-accounts or a place in the account map.
 */
export async function deleteAccount(work: Work, id: string): Promise<void> {
  const before = await lockAccount(work, id, 'removal');
  work.precondition(before);
  if (before.has_lines) {
    throw inUse({
      en: 'The account has lines; set is_active to false, and it takes no new ones',
      ja: '勘定科目に仕訳明細があります。今後使わない場合は is_active を false にしてください',
    });
  }
  const [children, { account_map }] = await Promise.all([
    work.connection.query(
      'SELECT FROM accounting_accounts WHERE organization_id = $1 AND parent_id = $2 LIMIT 1',
      [work.organization_id, id],
    ),
    findAccountingSettings(work),
  ]);
  if (children.length > 0)
    throw inUse({ en: 'The account has sub-accounts', ja: '勘定科目に補助科目があります' });
  if (usesAccount(account_map, id)) {
    throw inUse({ en: 'The account map of the settings names it', ja: '設定のaccount_mapで使われています' });
  }
  work.remove(AccountModel, id);
  work.record(accountFacts.deleted, { before, after: null });
}

/** Errors: `in_use` for a change of what posted or closed figures rest on. */
async function refuseFixed(work: Work, before: Account, changed: Account): Promise<void> {
  const changesType = before.account_type !== changed.account_type;
  const changesClass = (['section', 'cf_class', 'cf_adjustment'] as const).some(
    (field) => before[field] !== changed[field],
  );
  if (!changesType && !changesClass) return;
  // What is being posted or closed ends first, and what comes later sees the change.
  await lockBooks(work, await allYears(work));
  if (changesType) await refuseParent(work, before.id);
  const [found] = await work.connection.query<{ is_posted: boolean; is_closed: boolean }>(
    `SELECT EXISTS (SELECT FROM accounting_lines
        WHERE organization_id = $1 AND account_id = $2 AND number IS NOT NULL) AS is_posted,
      EXISTS (SELECT FROM accounting_fiscal_years AS year
        WHERE year.organization_id = $1 AND year.status = 'closed' AND EXISTS (
          SELECT FROM accounting_lines AS line
           WHERE line.organization_id = $1 AND line.account_id = $2
             AND line.date BETWEEN year.start_date AND year.end_date)) AS is_closed`,
    [work.organization_id, before.id],
  );
  if (changesType && found!.is_posted) {
    throw inUse({
      en: 'The account has posted lines, so its type stays',
      ja: '記帳済みの明細があるため、account_typeは変更できません',
    });
  }
  if (found!.is_closed) {
    throw inUse({
      en: 'The account has lines in a closed year, so section, cf_class and cf_adjustment stay',
      ja: '締め切った年度に明細があるため、section・cf_class・cf_adjustmentは変更できません',
    });
  }
}

/** Sub-accounts have the type of their parent, so that of a parent stays. Errors: `in_use`. */
async function refuseParent(work: Work, id: string): Promise<void> {
  await lockParents(work);
  const [child] = await work.connection.query(
    'SELECT FROM accounting_accounts WHERE organization_id = $1 AND parent_id = $2 LIMIT 1',
    [work.organization_id, id],
  );
  if (!child) return;
  throw inUse({
    en: 'The account has sub-accounts, so its type stays',
    ja: '補助科目があるため、account_typeは変更できません',
  });
}

function inUse(detail: Text): Failure {
  return new Failure('in_use', { detail });
}
