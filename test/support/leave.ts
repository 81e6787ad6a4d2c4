import assert from 'node:assert/strict';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';

const BASE = '/attendance';
export const REQUESTS = `${BASE}/leave-requests`;
export const BALANCES = `${BASE}/leave-balances`;

/** A caller with their member. */
export type Staff = Client & { actor: TestActor; member_id: string };

/** An organization: its owner, a second one, who decides on the first one's leave, a manager and a member of the team. */
export type LeaveOffice = { owner: Staff; admin: Staff; manager: Staff; member: Staff; stranger: Staff };

/** The member of an account. */
async function memberOf(app: TestApp, { organization_id, user_id }: TestActor): Promise<string> {
  return app.database.withConnection(organization_id, async ({ query }) => {
    const [found] = await query<{ id: string }>(
      'SELECT id FROM attendance_members WHERE organization_id = $1 AND user_id = $2',
      [organization_id, user_id],
    );
    return found!.id;
  });
}

/** Makes such an organization. The manager manages the department that the member is in, and the stranger is not. */
export async function newLeaveOffice(app: TestApp): Promise<LeaveOffice> {
  const first = await app.actor();
  const { organization_id } = first.actor;
  const staff = async (client: Client & { actor: TestActor }): Promise<Staff> => ({
    ...client,
    member_id: await memberOf(app, client.actor),
  });
  const owner = await staff(first);
  const admin = await staff(await app.actor({ organization_id, role: 'admin' }));
  const manager = await staff(await app.actor({ organization_id, role: 'manager' }));
  const member = await staff(await app.actor({ organization_id, role: 'member' }));
  const stranger = await staff(await app.actor({ organization_id, role: 'member' }));
  const made = await owner.post(`${BASE}/org/departments`, {
    name: '営業部',
    manager_member_id: manager.member_id,
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await changeMember(owner, member.member_id, { department_id: made.body.department.id });
  return { owner, admin, manager, member, stranger };
}

/** Changes a member; the change must be taken. */
export async function changeMember(owner: Client, member_id: string, patch: object): Promise<void> {
  const changed = await owner.patch(`${BASE}/members/${member_id}`, patch);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
}

/** Grants days of annual leave by hand from a day on; answers the grant's ID. */
export async function grantDays(
  { owner }: Pick<LeaveOffice, 'owner'>,
  member_id: string,
  days: number,
  more: { granted_on?: string; expires_on?: string; type?: string } = {},
): Promise<string> {
  const made = await owner.post(BALANCES, { member_id, days, granted_on: '2026-04-01', ...more });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.leave_grant.id;
}

/** Asks for leave, which must be taken; answers the request. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is read as JSON.
export async function askFor(client: Client, body: object): Promise<any> {
  const made = await client.post(REQUESTS, { type: 'paid_annual', ...body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.leave_request;
}

/** Sets settings of attendance that have no date, past their endpoint. */
export async function setPlain(app: TestApp, organization_id: string, settings: object): Promise<void> {
  await app.database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO attendance_settings VALUES ($1, $2, now())
       ON CONFLICT (organization_id) DO UPDATE SET settings = attendance_settings.settings || excluded.settings`,
      [organization_id, JSON.stringify(settings)],
    );
  });
}
