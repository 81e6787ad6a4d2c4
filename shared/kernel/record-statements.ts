import type { Reader } from './reader.ts';
import { insertStatement } from './row-statements.ts';
import type { Row, Statement, Table } from './statement.ts';

/** The statements that write events and audit entries, with the organization, the actor and the time. */
export function factStatements(
  { organization_id, actor, request_id, ip_address, now }: Reader,
  events: readonly Row[],
  audit: readonly Row[],
): Statement[] {
  const context = { organization_id, request_id, created_at: now.toISOString() };
  const by = { actor_type: actor.type, actor_id: actor.id, ip_address };
  const statements: Statement[] = [];
  if (events.length > 0) {
    const rows = events.map((row) => ({ ...context, ...row }));
    statements.push(insertStatement(EVENTS, rows));
  }
  if (audit.length > 0) {
    const rows = audit.map((row) => ({ ...context, ...by, ...row }));
    statements.push(insertStatement(AUDIT, rows));
  }
  return statements;
}

/** The statements that put jobs into the outbox; those who dispatch them are told once they are committed. */
export function jobStatements(
  { connection, organization_id, now }: Reader,
  jobs: readonly Row[],
): Statement[] {
  if (jobs.length === 0) return [];
  connection.announce('outbox');
  const created_at = now.toISOString();
  const rows = jobs.map((row) => ({ organization_id, created_at, ...row }));
  return [insertStatement(OUTBOX, rows)];
}

const EVENTS: Table = {
  tableName: 'events',
  jsonAttributes: ['data', 'previous_attributes'],
  columnTypes: { data: 'json', previous_attributes: 'json', created_at: 'timestamptz' },
};
const AUDIT: Table = {
  tableName: 'audit_logs',
  jsonAttributes: ['changes'],
  columnTypes: { changes: 'json', created_at: 'timestamptz' },
};

/** What waits to be handed to the queues. */
export const OUTBOX: Table = { tableName: 'outbox', jsonAttributes: ['payload'] };
