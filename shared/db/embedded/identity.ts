import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a start must know of the database that an earlier one made: kept in DATA_DIR/postgres.json (0600). */
export type Identity = {
  /** The folder of the database itself: it may lie outside DATA_DIR. */
  folder: string;
  port: number | null;
  admin_password: string;
  password: string;
};

/** The service's database and the role that owns it. */
export const DATABASE = 'business_operations';
export const ROLE = 'service';

/** What is kept of the database of this data folder, or null when there is none yet. */
export function readIdentity(dataDir: string): Identity | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as Identity;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Keeps it; renamed into place, so that a crash leaves the old file or the new one. */
export function writeIdentity(dataDir: string, identity: Identity): void {
  const path = join(dataDir, 'postgres.json');
  writeFileSync(`${path}.new`, `${JSON.stringify(identity, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** A password of 192 random bits. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** The superuser's address of the database `postgres`. */
export function adminUrl(identity: Identity): string {
  return urlOf(identity, 'postgres', identity.admin_password, 'postgres');
}

/** The address of the service's database for its own role. */
export function serviceUrl(identity: Identity): string {
  return urlOf(identity, ROLE, identity.password, DATABASE);
}

function urlOf(identity: Identity, user: string, password: string, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${identity.port}/${database}`;
}
