/**
 * The statement that says on a connection that somebody is alive: when the process dies, the server drops the connection
 * and with it the lock. `kind` and `number` are integers. Shared, so that who connects again need not wait for the old
 * session.
 */
export function livenessLock(kind: number, number: number): string {
  return `SELECT pg_advisory_lock_shared(${kind}, ${number})`;
}

/** SQL for the array of the numbers of a kind that are alive. */
export function livingNumbers(kind: number): string {
  return `ARRAY(
    SELECT objid::bigint::integer FROM pg_locks
     WHERE locktype = 'advisory' AND classid = ${kind} AND objsubid = 2 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
}
