import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import type { TestApp } from './app.ts';
import { newWorkplace, type Workplace } from './attendance.ts';
import { download, type FileReply } from './pdf-documents.ts';

/** The month of which files are asked for. */
export const MONTH = '2026-09';

/** A file, however long its worker takes. */
export async function fileOf(app: TestApp, client: Workplace, path: string): Promise<FileReply> {
  for (;;) {
    const reply = await download(app, client as never, `/attendance/exports/${path}`);
    assert.ok([200, 202].includes(reply.status), reply.bytes.toString());
    if (reply.status === 200) return reply;
  }
}

/** The lines of a CSV file by their headers. */
export function linesOf(text: string): Record<string, string>[] {
  return parse(text, { columns: true, record_delimiter: '\r\n' });
}

/** The lines of a CSV file in English. */
export async function linesIn(
  app: TestApp,
  client: Workplace,
  query: string,
): Promise<Record<string, string>[]> {
  return linesOf((await fileOf(app, client, `csv?encoding=utf-8&lang=en&${query}`)).bytes.toString());
}

/** A session by its hours in Tokyo, counted from the date. */
function session(date: string, from: string, to: string | null, breaks: [string, string][] = []) {
  const at = (time: string) => {
    const [hours, minutes] = time.split(':').map(Number) as [number, number];
    return new Date(Date.parse(`${date}T00:00:00+09:00`) + (hours * 60 + minutes) * 60_000).toISOString();
  };
  return {
    clock_in_at: at(from),
    clock_out_at: to === null ? null : at(to),
    breaks: breaks.map(([start, end]) => ({ start_at: at(start), end_at: at(end) })),
  };
}

/** An office with people whose names and days are hard to write. */
export async function officeOf(app: TestApp) {
  const owner = await newWorkplace(app);
  const department = await owner.department({ name: '営業"部",第一' });
  const night = await owner.person({
    name: '=髙﨑 "夜"',
    employee_code: 'E-02',
    department_id: department.id,
    hired_on: '2026-04-01',
  });
  const plain = await owner.person({ name: '山田 花子', employee_code: 'E-01' });
  const put = (id: string, date: string, ...sessions: object[]) =>
    owner.done('PUT', `/records/${id}/${date}`, { sessions });
  await put(night.id, '2026-09-01', session('2026-09-01', '17:00', '26:30', [['20:00', '21:00']]));
  await put(
    night.id,
    '2026-09-05',
    session('2026-09-05', '08:58', '12:00'),
    session('2026-09-05', '13:00', '19:07'),
  );
  await put(night.id, '2026-09-06', session('2026-09-06', '10:00', '15:00'));
  await put(night.id, '2026-09-07', session('2026-09-07', '09:10', '17:15', [['12:00', '13:00']]));
  await put(plain.id, '2026-09-02', session('2026-09-02', '08:00', '22:30', [['12:00', '13:00']]));
  await owner.done('POST', '/punches', {
    type: 'clock_in',
    member_id: plain.id,
    occurred_at: '2026-09-03T00:00:00.000Z',
    note: '@現場へ\n直行',
  });
  const approved = async (fields: object) => {
    const body = { member_id: night.id, ...fields };
    const { leave_request } = await owner.done('POST', '/leave-requests', body);
    await owner.done('POST', `/leave-requests/${leave_request.id}/approve`, {});
  };
  await approved({ type: 'sick', unit: 'full', start_date: '2026-09-08', end_date: '2026-09-09' });
  await approved({ type: 'condolence', unit: 'half_am', start_date: '2026-09-10', end_date: '2026-09-10' });
  return { owner, department, night, plain };
}

/** A manager who asks for a file of everybody they see, and is another one before it is made. */
export async function askedBefore(
  app: TestApp,
  branch: Workplace,
  change: string,
): Promise<{ manager: Workplace; job: { id: string } }> {
  const manager = await branch.colleague('manager');
  const team = await branch.department();
  await branch.person({ department_id: team.id });
  await branch.send('PATCH', `/attendance/org/departments/${team.id}`, {
    manager_member_id: manager.member_id,
  });
  const path = `/attendance/exports/csv?month=${MONTH}&unit=monthly&encoding=utf-8&lang=en`;
  const { body } = await manager.send('GET', path, undefined, { Prefer: 'respond-async' });
  await app.database.withConnection(branch.organization_id, ({ query }) =>
    query(`UPDATE members SET ${change} WHERE organization_id = $1 AND user_id = $2`, [
      branch.organization_id,
      manager.user_id,
    ]),
  );
  return { manager, job: body.job };
}
