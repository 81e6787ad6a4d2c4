import { Failure, invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';

import { dropDealField } from '../deals/links.ts';
import { customFieldOf, lockCustomField } from './definitions.ts';
import { dropCompanyField, dropContactField } from './dropping.ts';
import type { CustomFieldKind } from './queries.ts';
import {
  type CustomField,
  type CustomFieldInput,
  CustomFieldModel,
  type CustomFieldPatch,
  customFieldFacts,
} from './record.ts';
import type { CustomFieldType } from './values.ts';

/** How many custom fields a kind of record may have. */
const MOST = 100;

/** Defines a custom field. Errors: `validation_failed` at /options, `already_exists`, `limit_reached`. */
export async function createCustomField(work: Work, input: CustomFieldInput): Promise<CustomField> {
  const { kind, key, label = key, type, options = [] } = input;
  checkOptions(type, options);
  await refuseTooMany(work, kind);
  const created_at = work.now.toISOString();
  const row = {
    id: newId('cfld', work.now),
    kind,
    key,
    label,
    type,
    options,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_at,
    updated_at: created_at,
  };
  const field = customFieldOf(row);
  work.insert(CustomFieldModel, row);
  work.record(customFieldFacts.created, { before: null, after: field });
  return field;
}

/**
 * Changes label or options; values that records have stay, also those of an option that goes.
 * Errors: `not_found`, `precondition_failed`, `validation_failed` at /options.
 */
export async function updateCustomField(
  work: Work,
  id: string,
  patch: CustomFieldPatch,
): Promise<CustomField> {
  const before = await lockCustomField(work, id);
  if (patch.options) checkOptions(before.type, patch.options);
  work.precondition(before);
  const metadata = metadataAfter(before.metadata, patch.metadata);
  const changed: CustomField = { ...before, ...patch, metadata };
  if (work.isSame(customFieldFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { label, options, external_id, updated_at } = after;
  work.update(CustomFieldModel, id, { label, options, external_id, metadata, updated_at });
  work.record(customFieldFacts.updated, { before, after });
  return after;
}

const dropValues: Record<CustomFieldKind, (work: Work, key: string) => Promise<void>> = {
  company: dropCompanyField,
  contact: dropContactField,
  deal: dropDealField,
};

/**
 * Removes a definition and its values; each record that had one changes, and says so.
 * Errors: `not_found`, `precondition_failed`.
 */
export async function deleteCustomField(work: Work, id: string): Promise<void> {
  const before = await lockCustomField(work, id);
  work.precondition(before);
  await dropValues[before.kind](work, before.key);
  work.remove(CustomFieldModel, id);
  work.record(customFieldFacts.deleted, { before, after: null });
}

function checkOptions(type: CustomFieldType, options: readonly string[]): void {
  const isChoice = type === 'select' || type === 'multi_select';
  if (isChoice && options.length === 0) {
    throw invalid('/options', 'required', {
      en: `options must name at least one for the type ${type}`,
      ja: `種類が ${type} の場合、options に選択肢を1つ以上指定してください`,
    });
  }
  if (!isChoice && options.length > 0) {
    throw invalid('/options', 'invalid_value', {
      en: `options must be empty for the type ${type}`,
      ja: `種類が ${type} の場合、options は空にしてください`,
    });
  }
}

/** Counts under a lock, so that two at once cannot both take the last place. */
async function refuseTooMany(work: Work, kind: CustomFieldKind): Promise<void> {
  const [, [row]] = await Promise.all([
    work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `crm_custom_fields ${work.organization_id} ${kind}`,
    ]),
    work.connection.query<{ count: number }>(
      'SELECT count(*) FROM crm_custom_fields WHERE organization_id = $1 AND kind = $2',
      [work.organization_id, kind],
    ),
  ]);
  if (row!.count >= MOST) {
    throw new Failure('limit_reached', {
      detail: {
        en: `A kind of record may have ${MOST} custom fields`,
        ja: `カスタム項目はレコードの種類ごとに${MOST}個までです`,
      },
    });
  }
}
