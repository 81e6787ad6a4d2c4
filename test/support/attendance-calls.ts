import assert from 'node:assert/strict';
import type { Client } from './client.ts';

type Call = { path: string; body?: unknown };

async function person(client: Client): Promise<string> {
  const { status, body, text } = await client.post('/attendance/members', { name: '佐藤 一郎' });
  assert.equal(status, 201, text);
  return body.member.id;
}

/** A call that succeeds, for every POST of attendance. */
export const attendanceCalls: Record<string, (client: Client) => Promise<Call>> = {
  'attendance.members.create': async () => ({ path: '/attendance/members', body: { name: '佐藤 一郎' } }),
  'attendance.departments.create': async () => ({
    path: '/attendance/org/departments',
    body: { name: '営業部' },
  }),
  'attendance.departments.batch': async () => ({
    path: '/attendance/org/departments/batch',
    body: { items: [{ name: '営業部', code: 'S' }] },
  }),
  'attendance.positions.create': async () => ({ path: '/attendance/org/positions', body: { name: '課長' } }),
  'attendance.positions.batch': async () => ({
    path: '/attendance/org/positions/batch',
    body: { items: [{ name: '課長', code: 'M' }] },
  }),
  'attendance.schedules.create': async () => ({
    path: '/attendance/schedules',
    body: { name: '早番', start: '07:00', end: '15:00' },
  }),
  'attendance.holidays.create': async () => ({
    path: '/attendance/settings/holidays',
    body: { date: '2026-12-30', name: '年末休業' },
  }),
  'attendance.terms.create': async (client) => ({
    path: `/attendance/members/${await person(client)}/terms`,
    body: { effective_from: '2026-04-01' },
  }),
};
