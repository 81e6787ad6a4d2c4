import { Failure } from '../../kernel/failure.ts';
import type { CallCondition, Condition, Asking as PlatformAsking } from '../../platform/transitions/table.ts';
import { isExpired } from '../documents/due.ts';
import type { DocumentKind } from '../documents/kinds.ts';

/** What decides what can be done to a document: its status, and what the conditions read. */
export type Standing = {
  kind: DocumentKind;
  status: string;
  due_date: string | null;
  /** The living documents that were made of it. */
  converted_to: readonly { type: string; id: string }[];
  /** Whether some of its lines can still be invoiced; asked of delivery notes alone. */
  has_open_quantity: boolean;
  /** The draft that will replace it. */
  open_revision_id: string | null;
  /** What came to the invoice that this draft would replace. */
  replaced_has: 'payments' | 'credit_notes' | null;
  /** What it comes to, what credit notes took back of that, and what is still owed; yen. */
  amount_due: bigint;
  credited: bigint;
  balance: bigint;
};

/** Who asks, and the rule of the settings. */
export type Asking = PlatformAsking & { approval_required: boolean };

/** What the body of a call says, and the day of the call in the settings' zone. */
export type Call = { force: boolean; today: string };

/** What must hold of a document beside its status. */
export const needs = {
  not_converted: {
    text: 'not converted yet',
    code: 'already_converted',
    holds: ({ converted_to }) => converted_to.length === 0,
    reason: ({ converted_to }) => ({
      sentence: `It was converted into ${converted_to.map(({ id }) => id).join(', ')}`,
      members: { converted_to },
    }),
  },
  open_quantity: {
    text: 'with open quantity',
    code: 'invalid_transition',
    holds: ({ has_open_quantity }) => has_open_quantity,
  },
  no_approval_required: {
    text: 'with `approval_required` off',
    code: 'invalid_transition',
    holds: (_, { approval_required }) => !approval_required,
  },
  no_credit_notes: {
    text: 'without credit notes',
    code: 'has_credit_notes',
    holds: ({ credited }) => credited === 0n,
  },
  not_wholly_credited: {
    text: 'not credited as a whole yet',
    code: 'over_credit',
    holds: ({ credited, amount_due }) => credited === 0n || credited < amount_due,
  },
  no_open_revision: {
    text: 'without an open revision',
    code: 'already_revised',
    holds: ({ open_revision_id }) => open_revision_id === null,
    reason: ({ open_revision_id }) => ({
      sentence: `${open_revision_id} will replace it`,
      members: { open_revision_id },
    }),
  },
  replaces_no_paid: {
    text: 'that replaces none with payments',
    code: 'has_payments',
    holds: ({ replaced_has }) => replaced_has !== 'payments',
  },
  replaces_no_credited: {
    text: 'that replaces none with credit notes',
    code: 'has_credit_notes',
    holds: ({ replaced_has }) => replaced_has !== 'credit_notes',
  },
  open_balance: {
    text: 'with a balance above 0',
    code: 'overpayment',
    holds: ({ balance }) => balance > 0n,
  },
} as const satisfies Record<string, Condition<Standing, Asking>>;

export type Need = keyof typeof needs;

/** What must hold of a call. */
export const callNeeds = {
  valid_or_forced: {
    text: 'past `due_date` only with `force: true`',
    code: 'quotation_expired',
    refuse: (quotation, { force, today }) => {
      if (force || !isExpired(quotation, today)) return null;
      const { due_date } = quotation;
      return new Failure('quotation_expired', {
        detail: `It was valid until ${due_date}; send "force": true to accept it all the same`,
        members: { due_date },
      });
    },
  },
} as const satisfies Record<string, CallCondition<Standing, Call>>;

export type CallNeed = keyof typeof callNeeds;
