import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Row } from '../../kernel/statement.ts';
import type { Work } from '../../kernel/work.ts';
import { searchText } from '../../platform/search/lines.ts';
import { allowsClass, defaultSections, isProfitAndLoss, sections } from './kinds.ts';
import { accountOf } from './queries.ts';
import type { Account, AccountInput } from './record.ts';

/** A new account; what was not said follows from its parent or its type. Errors: `validation_failed`. */
export function newAccount(work: Work, input: AccountInput, parent: Account | null): Account {
  const at = work.now.toISOString();
  const inherited = parent?.account_type === input.account_type ? parent.section : undefined;
  const section = input.section ?? inherited ?? defaultSections[input.account_type];
  const account = accountOf(
    {
      id: newId('acc', work.now),
      code: input.code,
      name: input.name,
      name_en: input.name_en ?? null,
      account_type: input.account_type,
      section,
      cf_class: input.cf_class ?? sections[section].cf_class,
      cf_adjustment: input.cf_adjustment ?? null,
      parent_id: input.parent_id ?? null,
      description: input.description ?? null,
      tax_category: input.tax_category ?? 'O',
      is_active: input.is_active ?? true,
      external_id: input.external_id ?? null,
      metadata: metadataAfter({}, input.metadata),
      created_at: at,
      updated_at: at,
    },
    false,
  );
  refuseMixture(account, parent);
  return account;
}

/** Sees that type, section, class and parent of an account fit each other. Errors: `validation_failed`. */
export function refuseMixture(account: Account, parent: Account | null): void {
  const { account_type: type, section, cf_class, cf_adjustment } = account;
  const faults: FieldError[] = [];
  const fault = (path: string, message: Text) =>
    faults.push({ in: 'body', path, code: 'invalid_value', message });
  if (sections[section].type !== type) {
    fault('/section', {
      en: `section ${section} is not for accounts of type ${type}`,
      ja: `section ${section} は ${type} の勘定科目に指定できません`,
    });
  }
  if (!allowsClass(type, cf_class)) {
    fault('/cf_class', {
      en: `cf_class ${cf_class} is not for accounts of type ${type}`,
      ja: `cf_class ${cf_class} は ${type} の勘定科目に指定できません`,
    });
  }
  if (cf_adjustment !== null && !isProfitAndLoss(type)) {
    fault('/cf_adjustment', {
      en: 'cf_adjustment is for accounts of type revenue and expense',
      ja: 'cf_adjustment は revenue と expense の勘定科目だけに指定できます',
    });
  }
  if (parent && parent.account_type !== type) {
    fault('/parent_id', {
      en: `parent_id must name an account of type ${type}`,
      ja: `parent_id には ${type} の勘定科目を指定してください`,
    });
  }
  if (faults.length > 0) throw invalidAll(faults);
}

/** The columns that hold an account. */
export function columnsOfAccount(account: Account): Row {
  const { object, normal_side, has_lines, ...columns } = account;
  return { ...columns, search_text: searchText([account.code, account.name, account.name_en]) };
}
