import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import { newWorkplace, type Workplace } from './attendance.ts';
import type { Reply } from './client.ts';

export const SUBMISSIONS = '/attendance/submissions';

/** Who confirms, and whose months they are. */
export type ClosingOffice = { owner: Workplace; member: Workplace };

/** An organization with an owner and a member. */
export async function newClosingOffice(app: TestApp): Promise<ClosingOffice> {
  const owner = await newWorkplace(app);
  return { owner, member: await owner.colleague('member') };
}

/** A session of a date, by hours in UTC; one after 24:00 is of the next day. */
export function sessionOn(date: string, from = 0, to: number | null = 9) {
  const at = (hour: number) => new Date(Date.parse(`${date}T00:00:00.000Z`) + hour * 3_600_000).toISOString();
  return { clock_in_at: at(from), clock_out_at: to === null ? null : at(to), breaks: [] as object[] };
}

/** Replaces the sessions of a day of somebody. */
export function putDay(
  by: Workplace,
  { member_id }: Pick<Workplace, 'member_id'>,
  date: string,
  sessions: readonly object[] = [sessionOn(date)],
): Promise<Reply> {
  return by.send('PUT', `/attendance/records/${member_id}/${date}`, { sessions });
}

/** Submits a month, absences accepted, which must be taken; answers the submission. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is read as JSON.
export async function submitted(by: Workplace, month: string, more: object = {}): Promise<any> {
  const made = await by.post(SUBMISSIONS, { month, accept_absences: true, ...more });
  assert.ok(made.status === 201 || made.status === 200, made.text);
  return made.body.submission;
}

/** Does something to a submission, which must be taken; answers the submission. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is read as JSON.
export async function step(by: Workplace, id: string, action: string, body?: object): Promise<any> {
  const done = await by.post(`${SUBMISSIONS}/${id}/${action}`, body);
  assert.equal(done.status, 200, done.text);
  return done.body.submission;
}

/** A month of a member, submitted and confirmed by an owner. */
export async function confirmedMonth({ owner, member }: ClosingOffice, month: string) {
  const { id } = await submitted(member, month);
  return step(owner, id, 'confirm');
}

/** The status and the code of a reply. */
export function outcome({ status, body }: Reply): [number, string | undefined] {
  return [status, body?.code];
}
