import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { readSheets } from '../../shared/attendance/exports/sheets/read-sheets.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { renderSheets } from '../../workers/attendance/sheets/render-sheets.ts';
import { startApp } from '../support/app.ts';
import { newWorkplace } from '../support/attendance.ts';
import { pdfPicture } from '../support/pdf-pages.ts';
import { testRenderer, unhurried } from '../support/rendering.ts';

/** npm run pictures: takes the picture of a timesheet that the documentation shows, from its PDF. */
const now = new Date('2026-11-02T00:30:00.000Z');
const app = await startApp({ now: () => now });
const renderer = testRenderer();

/** When work began and ended on days of October, in Tokyo; breaks are from 12 to 13. */
const days: readonly (readonly [number, string, string])[] = [
  [1, '09:00', '18:00'],
  [2, '09:00', '19:34'],
  [5, '09:00', '18:00'],
  [6, '09:12', '18:00'],
  [7, '08:51', '21:15'],
  [8, '09:00', '18:00'],
  [9, '09:00', '17:30'],
  [13, '09:00', '18:00'],
  [14, '13:00', '18:00'],
  [15, '08:55', '20:40'],
  [16, '09:00', '18:00'],
  [17, '10:00', '15:30'],
  [19, '09:00', '18:00'],
  [20, '08:54', '24:20'],
  [21, '09:31', '18:00'],
  [22, '09:00', '18:00'],
  [25, '13:00', '16:00'],
  [26, '09:00', '18:00'],
  [27, '09:00', '19:05'],
  [28, '09:00', '18:00'],
  [29, '08:58', '20:31'],
  [30, '09:00', '18:00'],
];

test('docs/pictures/attendance-month.png', async () => {
  const owner = await newWorkplace(app);
  const { organization_id } = owner;
  await app.database.withConnection(organization_id, ({ query }) =>
    query('UPDATE organizations SET name = $2 WHERE id = $1', [organization_id, '株式会社山田商店']),
  );
  const { id: department_id } = await owner.department({ name: '営業部' });
  const { position } = await owner.done('POST', '/org/positions', { name: '主任' });
  const member = await owner.person({
    name: '山田 花子',
    employee_code: 'E-0012',
    department_id,
    position_id: position.id,
    hired_on: '2022-04-01',
  });
  await owner.done('POST', '/leave-balances', {
    member_id: member.id,
    type: 'paid_annual',
    days: 14,
    granted_on: '2026-10-01',
  });
  for (const leave of [
    { start_date: '2026-10-14', end_date: '2026-10-14', unit: 'half_am' },
    { start_date: '2026-10-23', end_date: '2026-10-23', unit: 'full' },
  ]) {
    const body = { member_id: member.id, type: 'paid_annual', ...leave };
    const { leave_request } = await owner.done('POST', '/leave-requests', body);
    await owner.done('POST', `/leave-requests/${leave_request.id}/approve`, {});
  }
  for (const [number, from, to] of days) {
    const date = `2026-10-${String(number).padStart(2, '0')}`;
    const at = (time: string) => {
      const [hours, minutes] = time.split(':').map(Number) as [number, number];
      const midnight = Date.parse(`${date}T00:00:00+09:00`);
      return new Date(midnight + (hours * 60 + minutes) * 60_000).toISOString();
    };
    const breaks = from < '12:00' ? [{ start_at: at('12:00'), end_at: at('13:00') }] : [];
    const session = { clock_in_at: at(from), clock_out_at: at(to), breaks };
    await owner.done('PUT', `/records/${member.id}/${date}`, { sessions: [session] });
  }
  const sheets = await app.database.withConnection(organization_id, (connection) =>
    readSheets(
      { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
      { month: '2026-10', member_id: member.id, time_format: 'hhmm', language: 'ja' },
    ),
  );
  const pdf = await renderSheets(renderer, sheets, unhurried);
  const edge = { top: 1, right: 1, bottom: 1, left: 1, background: '#d0d5dd' };
  const picture = sharp(await pdfPicture(pdf, 1, 110))
    .flatten({ background: '#fff' })
    .extend(edge);
  const png = await picture.png({ palette: true, colours: 48, effort: 10 }).toBuffer();
  await writeFile(resolve(import.meta.dirname, '../../docs/pictures/attendance-month.png'), png);
});
