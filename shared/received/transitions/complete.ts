import { Failure } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { ReceivedKind } from '../documents/kinds.ts';

/** What of a received document says whether it can be decided on. */
type Decidable = {
  kind: ReceivedKind;
  company_id: string | null;
  company_name: string | null;
  issue_date: string | null;
  line_items: readonly unknown[];
  stated_breakdown: readonly unknown[] | null;
};

/** A field that a decision needs. */
export type MissingField = 'company_id' | 'issue_date' | 'line_items';

const needed: Readonly<Record<MissingField, { is_there: (document: Decidable) => boolean; message: Text }>> =
  {
    company_id: {
      is_there: ({ company_id, company_name }) => company_id !== null || company_name !== null,
      message: {
        en: 'company_id or company_name is missing',
        ja: 'company_id または company_name がありません',
      },
    },
    issue_date: {
      is_there: ({ issue_date }) => issue_date !== null,
      message: { en: 'issue_date is missing', ja: 'issue_date がありません' },
    },
    line_items: {
      is_there: ({ kind, line_items, stated_breakdown }) =>
        kind !== 'invoice' || line_items.length + (stated_breakdown?.length ?? 0) > 0,
      message: {
        en: 'line_items or stated_breakdown is missing',
        ja: 'line_items または stated_breakdown がありません',
      },
    },
  };

/** What is missing before a received document can be approved or confirmed: its `missing[]`. */
export function missingOf(document: Decidable): MissingField[] {
  const fields = Object.keys(needed) as MissingField[];
  return fields.filter((field) => !needed[field].is_there(document));
}

/** Sees that nothing is missing for a decision. Errors: `incomplete`, with an entry for each that is. */
export function requireComplete(document: Decidable): void {
  const errors = missingOf(document).map((field) => ({
    in: 'body' as const,
    path: `/${field}`,
    code: 'required',
    message: needed[field].message,
  }));
  if (errors.length > 0) throw new Failure('incomplete', { detail: errors[0]!.message, errors });
}
