import { factsOf } from '../../../kernel/fact.ts';
import { Failure, notFound } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/id.ts';
import type { Actor } from '../../../kernel/reader.ts';
import type { Work } from '../../../kernel/work.ts';

/** A session in an organization's audit log: it begins to act there (sign-in, change to it) and ends. */
export const sessionFacts = factsOf({ domain: 'platform', entity_type: 'session' });

/** Seconds that a session lasts without being renewed. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60;

/** Sessions that one person may have at a time. */
export const MOST_SESSIONS = 100;

export type NewSession = {
  user_id: string;
  token: string;
  expires_at: string;
  user_agent: string | null;
};

export type SessionRow = NewSession & {
  id: string;
  ip_address: string | null;
  active_organization_id: string | null;
  created_at: string;
  updated_at: string;
};

/** A person who acts before, or without, a membership. */
export function personActor(user_id: string): Actor {
  return { type: 'user', id: user_id, user_id, role: null, grants: [] };
}

/**
 * Opens a session, in the organization that its user used last (or the one they joined last, if they have left that
 * one). The sign-in stands in that organization's audit log. Beyond the most sessions of a person their oldest ends.
 */
export async function openSession(work: Work, session: NewSession): Promise<SessionRow> {
  const [place] = await work.connection.query<{ organization_id: string }>(
    `SELECT member.organization_id FROM members AS member JOIN users ON users.id = member.user_id
      WHERE member.user_id = $1 AND member.left_at IS NULL
      ORDER BY (member.organization_id = users.last_organization_id) DESC NULLS LAST, member.joined_at DESC
      LIMIT 1 FOR SHARE OF member`,
    [session.user_id],
  );
  await makeRoomForSession(work, session.user_id);
  return openSessionIn(work, session, place?.organization_id ?? null);
}

/**
 * Ends the oldest sessions of a person, so that there is room for one more. Of sessions opened at the same time each
 * waits for the one before. To be called before rows of `users` are locked: other works lock sessions first.
 */
export async function makeRoomForSession(work: Work, user_id: string): Promise<void> {
  const { connection } = work;
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sessions ${user_id}`]);
  const ended = await connection.query<SessionRow>(
    `DELETE FROM sessions WHERE id IN (
       SELECT id FROM sessions WHERE user_id = $1 ORDER BY expires_at > $2 DESC, created_at DESC, id DESC OFFSET $3)
     RETURNING id, user_id, active_organization_id`,
    [user_id, work.now.toISOString(), MOST_SESSIONS - 1],
  );
  for (const session of ended) recordEnd(work, session);
}

/** Opens a session in an organization that the user is surely a member of, or in none; there is room for it. */
export function openSessionIn(
  work: Work,
  session: NewSession,
  active_organization_id: string | null,
): SessionRow {
  const at = work.now.toISOString();
  const row: SessionRow = {
    id: newId('ses', work.now),
    ...session,
    user_agent: session.user_agent?.slice(0, 500) ?? null,
    ip_address: work.ip_address,
    active_organization_id,
    created_at: at,
    updated_at: at,
  };
  work.run(
    `INSERT INTO sessions (id, user_id, token, expires_at, user_agent, ip_address, active_organization_id,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      row.id,
      row.user_id,
      row.token,
      row.expires_at,
      row.user_agent,
      row.ip_address,
      active_organization_id,
      at,
    ],
  );
  if (active_organization_id !== null) recordPresence(work, row.id, row.user_id, active_organization_id);
  return row;
}

/** Gives a session another token, so that copies of its cookie end. */
export function renewToken(work: Work, session_id: string, token: string): void {
  const at = work.now.toISOString();
  work.run('UPDATE sessions SET token = $2, updated_at = $3 WHERE id = $1', [session_id, token, at]);
}

/** Ends a session. Its end stands in the audit log of the organization that it acted in. */
export async function endSession(work: Work, token: string): Promise<void> {
  const [ended] = await work.connection.query<SessionRow>(
    'DELETE FROM sessions WHERE token = $1 RETURNING id, user_id, active_organization_id',
    [token],
  );
  if (ended) recordEnd(work, ended);
}

function recordEnd(work: Work, ended: SessionRow): void {
  if (ended.active_organization_id === null) return;
  work.inOrganization(ended.active_organization_id).record(sessionFacts.deleted, {
    before: sessionShown(ended),
    after: null,
  });
}

/**
 * Lets a session act in another organization of its user. Errors: `not_found` where the user is not a present member,
 * `invalid_credentials` when the session has just ended.
 */
export async function activateOrganization(
  work: Work,
  session_id: string,
  user_id: string,
  organization_id: string,
): Promise<void> {
  // Locked, so that a member who is being removed cannot slip in: their sessions are ended after this commit.
  const present = await work.connection.query(
    `SELECT 1 FROM members WHERE organization_id = $1 AND user_id = $2 AND left_at IS NULL FOR SHARE`,
    [organization_id, user_id],
  );
  if (present.length === 0) throw notFound();
  await placeSession(work, session_id, user_id, organization_id);
}

/** Moves a session to an organization that its user has just made or joined. Errors: `invalid_credentials`. */
export async function placeSession(
  work: Work,
  session_id: string,
  user_id: string,
  organization_id: string,
): Promise<void> {
  const at = work.now.toISOString();
  await work.flush();
  const [before] = await work.connection.query<{ active_organization_id: string | null }>(
    'SELECT active_organization_id FROM sessions WHERE id = $1 AND user_id = $2 FOR UPDATE',
    [session_id, user_id],
  );
  if (!before) throw new Failure('invalid_credentials');
  rememberOrganization(work, user_id, organization_id);
  if (before.active_organization_id === organization_id) return work.nothingChanged();
  work.run('UPDATE sessions SET active_organization_id = $2, updated_at = $3 WHERE id = $1', [
    session_id,
    organization_id,
    at,
  ]);
  recordPresence(work, session_id, user_id, organization_id);
}

/** The organization that the user's next sign-in acts in. */
export function rememberOrganization(work: Work, user_id: string, organization_id: string): void {
  work.run('UPDATE users SET last_organization_id = $2 WHERE id = $1', [user_id, organization_id]);
}

function recordPresence(work: Work, session_id: string, user_id: string, organization_id: string): void {
  const inside = work.organization_id === organization_id ? work : work.inOrganization(organization_id);
  inside.record(sessionFacts.created, { before: null, after: sessionShown({ id: session_id, user_id }) });
}

function sessionShown({ id, user_id }: { id: string; user_id: string }) {
  return { id, user_id };
}
