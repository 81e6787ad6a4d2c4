import type { BetterAuthOptions } from 'better-auth';
import { type CustomAdapter, createAdapterFactory, type DBAdapter } from 'better-auth/adapters';
import type { Knex } from 'knex';
import type { Connection } from '../../shared/kernel/connection.ts';
import { endSession, openSession } from '../../shared/platform/access/sessions/operations.ts';
import { requirePassword } from '../../shared/platform/access/users/operations.ts';
import { currentCall, inTransaction, onConnection } from './call.ts';

/**
 * better-auth's tables through the service's own connections and transactions. Sessions are opened and ended by the
 * operations that also write the audit log; everything else is plain rows.
 */
export function authAdapter(options: BetterAuthOptions): DBAdapter<BetterAuthOptions> {
  const adapter: DBAdapter<BetterAuthOptions> = createAdapterFactory({
    config: {
      adapterId: 'service',
      supportsDates: false,
      transaction: (run) => inTransaction(null, () => run(adapter)),
    },
    adapter: () => rows as CustomAdapter,
  })(options);
  return adapter;
}

type Condition = { field: string; value: unknown; operator: string; connector: string };
type Chosen = { model: string; where?: Condition[] };
type Row = Record<string, unknown>;

const rows = {
  async create({ model, data }: { model: string; data: Row }) {
    if (model === 'sessions') return createSession(data);
    return onConnection(async (connection) => {
      const [row] = await connection.from(model).insert(data).returning('*');
      return row as Row;
    });
  },
  async findOne(chosen: Chosen) {
    return onConnection(async (connection) => (await query(connection, chosen).first()) ?? null);
  },
  async findMany({ limit, ...chosen }: Chosen & { limit: number }) {
    const found = await onConnection<Row[]>((connection) => query(connection, chosen).limit(limit));
    if (chosen.model === 'accounts') noteProvenHash(found);
    return found;
  },
  async count(chosen: Chosen) {
    const [row] = await onConnection((connection) => query(connection, chosen).count({ total: '*' }));
    return Number(row!.total);
  },
  async update({ update, ...chosen }: Chosen & { update: Row }) {
    return onConnection(async (connection) => {
      const [row] = await query(connection, chosen).update(update).returning('*');
      return (row ?? null) as Row | null;
    });
  },
  async updateMany({ update, ...chosen }: Chosen & { update: Row }) {
    return onConnection((connection) => query(connection, chosen).update(update));
  },
  async delete(chosen: Chosen) {
    if (chosen.model === 'sessions') await deleteSession(chosen);
    else await onConnection((connection) => query(connection, chosen).delete());
  },
  async deleteMany(chosen: Chosen) {
    return onConnection((connection) => query(connection, chosen).delete());
  },
};

const OPERATORS: Record<string, string> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  in: 'in',
};

function query({ knex }: Connection, { model, where = [] }: Chosen): Knex.QueryBuilder {
  const builder = knex(model);
  for (const { field, value, operator, connector } of where) {
    const sign = OPERATORS[operator];
    if (sign === undefined || connector !== 'AND') throw new Error(`No query for ${operator} ${connector}`);
    builder.where(field, sign, value as Knex.Value);
  }
  return builder;
}

/** The session is refused when the password that was proven a moment ago has been changed since. */
async function createSession(data: Row): Promise<Row> {
  const user_id = String(data.user_id);
  const { proven_hash } = currentCall();
  return inTransaction(user_id, async (work) => {
    if (proven_hash !== null) await requirePassword(work, user_id, proven_hash);
    return openSession(work, {
      user_id,
      token: String(data.token),
      expires_at: String(data.expires_at),
      user_agent: data.user_agent ? String(data.user_agent) : null,
    });
  });
}

async function deleteSession(chosen: Chosen): Promise<void> {
  const session = await rows.findOne(chosen);
  if (!session) return;
  await inTransaction(session.user_id, (work) => endSession(work, session.token));
}

function noteProvenHash(accounts: Row[]): void {
  const own = accounts.find(({ provider_id }) => provider_id === 'credential');
  if (typeof own?.password === 'string') currentCall().proven_hash = own.password;
}
