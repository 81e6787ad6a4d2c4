import type { AuditSight } from '../platform/audit/queries.ts';
import { membersSeen } from './sight/sight.ts';

/** Kinds of record that are about nobody: who may read the change history reads theirs. */
const ABOUT_NOBODY = ['department', 'position', 'schedule', 'holiday', 'settings'];

/** By kind of record, the table that says which member one is about. */
const ABOUT_MEMBERS: Readonly<Record<string, string>> = {
  punch: 'attendance_punches',
  record: 'attendance_records',
  terms: 'attendance_terms',
  roster_day: 'attendance_roster_days',
  correction: 'attendance_corrections',
  overtime_request: 'attendance_overtime_requests',
  leave_request: 'attendance_leave_requests',
  leave_grant: 'attendance_leave_grants',
  submission: 'attendance_submissions',
};

/**
 * What the change history tells a manager: of the organization, and of members whose days they see. Whom a removed record
 * was about nobody can say, so its entries are for owners and admins.
 */
export const attendanceAuditSight: AuditSight = async (reader) => {
  const member_ids = await membersSeen(reader);
  if (member_ids === null) return null;
  const branches = Object.entries(ABOUT_MEMBERS).map(
    ([entity_type, table]) => `WHEN '${entity_type}' THEN (SELECT member_id FROM ${table} AS record
      WHERE record.organization_id = audit_logs.organization_id AND record.id = audit_logs.entity_id)`,
  );
  const about = `CASE audit_logs.entity_type WHEN 'member' THEN audit_logs.entity_id
    WHEN 'opening_months' THEN audit_logs.entity_id ${branches.join(' ')} END`;
  return {
    text: `(audit_logs.entity_type = ANY (?) OR ${about} = ANY (?))`,
    values: [ABOUT_NOBODY, member_ids],
  };
};
