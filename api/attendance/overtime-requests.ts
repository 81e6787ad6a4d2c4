import { overtimeRequestBatch } from '../../shared/attendance/overtime-requests/batches.ts';
import { createOvertimeRequest } from '../../shared/attendance/overtime-requests/operations.ts';
import { OvertimeRequest, OvertimeRequestInput } from '../../shared/attendance/overtime-requests/record.ts';
import { overtimeRequestType } from '../../shared/attendance/overtime-requests/type.ts';
import { requestCalls } from './requests.ts';

export const overtimeRequests = requestCalls({
  type: overtimeRequestType,
  batch: overtimeRequestBatch,
  schema: OvertimeRequest,
  one: 'an overtime request',
  list: { description: '`from` and `to` bound their work dates.' },
  get: {
    description:
      '`actual_minutes` and `limit_preview` follow from the records as they are now; `available_actions` says what you can do to it.',
  },
  create: {
    summary: 'Ask for overtime',
    description:
      'For yourself, or as manager, admin or owner for somebody else; before or after it was worked. Minutes beyond the schedule outside of approved time have the alert `overtime_not_approved`, and with `early_clock_in` `ignore_unless_approved` those before the schedule count only in approved time of kind `before`.',
    body: OvertimeRequestInput,
    raises: ['not_employed'],
    make: createOvertimeRequest,
  },
  approve: {
    description: 'The records of its days are computed again at once. The member is told by mail.',
    raises: [],
  },
  cancel: { description: 'A pending one, by the member or who filed it.' },
});
