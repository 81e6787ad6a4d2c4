import type { Reader } from '../../kernel/reader.ts';
import { employedWithin } from '../members/employed.ts';
import { membersSeen } from '../sight/sight.ts';
import type { AskedExport, Span } from './asked.ts';

/** A member as files name one. */
export type PersonOfExport = {
  id: string;
  employee_code: string | null;
  name: string;
  department: string | null;
  position: string | null;
};

const PEOPLE = `
  SELECT member.id, member.employee_code, member.name, department.name AS department, position.name AS position
    FROM attendance_members AS member
    LEFT JOIN attendance_departments AS department
      ON department.organization_id = $1 AND department.id = member.department_id
    LEFT JOIN attendance_positions AS position
      ON position.organization_id = $1 AND position.id = member.position_id
   WHERE member.organization_id = $1 AND ($2::text[] IS NULL OR member.id = ANY ($2))
     AND ${employedWithin('member', '$3', '$4')}
   ORDER BY member.employee_code NULLS LAST, member.id`;

/** The members whose days who asks sees and asked for, employed on one of the days at least, by `employee_code`. */
export async function peopleOf(
  reader: Reader,
  whose: Pick<AskedExport, 'member_id' | 'department_id'>,
  { from, to }: Pick<Span, 'from' | 'to'>,
): Promise<PersonOfExport[]> {
  const seen = await membersSeen(reader, whose);
  return reader.connection.query<PersonOfExport>(PEOPLE, [reader.organization_id, seen, from, to]);
}

/** Members whose days are read together: a file of a thousand never holds more than these at a time. */
const TOGETHER = 50;

/** The members some at a time. */
export function inParts(people: readonly PersonOfExport[]): PersonOfExport[][] {
  return Array.from({ length: Math.ceil(people.length / TOGETHER) }, (_, index) =>
    people.slice(index * TOGETHER, (index + 1) * TOGETHER),
  );
}
