import { bookkeepingRefusals } from '../../shared/platform/bookkeeping.ts';
import { receivedInvoiceActions } from '../../shared/received/actions/invoices.ts';
import { changing } from './actions.ts';
import { everyKindCalls } from './every-kind-calls.ts';

export const receivedInvoiceCalls = [
  changing('invoice', 'approve', receivedInvoiceActions.approve, {
    summary: 'Approve a received invoice',
    description:
      'It must have a company, an `issue_date` and amounts; `incomplete` lists what is missing. Then it is refused as ' +
      '`self_approval` where `four_eyes` asks for somebody else; as `match_failed` where it differs from its order and the ' +
      'settings block that, unless `override_match` says why; as `bank_account_changed` unless `confirm_bank_account` is ' +
      'true. The match is computed anew with the order locked, so the same goods are never approved twice. With ' +
      '`auto_journal` its entry is made at the same moment, and what refuses the entry refuses the call.',
    raises: ['incomplete', ...bookkeepingRefusals],
  }),
  ...everyKindCalls('invoice'),
];
