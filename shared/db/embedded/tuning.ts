import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';

const MIB = 1024 * 1024;

/** Bytes of memory that this process may use: the machine's, or the container's where that is less. */
export function usableMemory(): number {
  const limit = constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * PostgreSQL's settings for a machine with so many bytes of memory, which it shares with the API,
 * the workers and a browser. The defaults make a bulk load crawl: a checkpoint every gigabyte of log and
 * 128 MB of buffers.
 */
export function tuning(memory: number): Record<string, string> {
  const mebibytes = (share: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max((memory * share) / MIB, least), most))}MB`;
  return {
    shared_buffers: mebibytes(1 / 8, 64, 2048),
    effective_cache_size: mebibytes(1 / 2, 256, 32_768),
    maintenance_work_mem: mebibytes(1 / 32, 32, 512),
    work_mem: mebibytes(1 / 1024, 4, 32),
    max_wal_size: '4GB',
    min_wal_size: '256MB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
    max_connections: '150',
  };
}

/** What every embedded server is given: this machine only, nothing of a record in its log. */
export const FIXED: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors reach the client, which logs them without values; the server's own text quotes personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};
