import type { Work } from '../../kernel/work.ts';
import { type AskedForLess, type DomainSpeed, presentSpeed, slowerSpeed } from './domain-speed.ts';

/** Domains that are held back, and when each may get its next mail: milliseconds. */
export type Speeds = Map<string, HeldDomain>;

export type HeldDomain = DomainSpeed & { next_at: number };

type SpeedRow = { domain: string; interval_ms: number; changed_at: string; next_at: string };

/** What of an organization's mails is held back. */
export async function loadSpeeds({ connection, organization_id, now }: Work): Promise<Speeds> {
  const rows = await connection.query<SpeedRow>(
    'SELECT domain, interval_ms, changed_at, next_at FROM mail_domain_speeds WHERE organization_id = $1',
    [organization_id],
  );
  return new Map(
    rows.flatMap((row) => {
      const stored = { interval: row.interval_ms, changed_at: Date.parse(row.changed_at) };
      const speed = presentSpeed(stored, now.getTime());
      return speed ? [[row.domain, { ...speed, next_at: Date.parse(row.next_at) }] as const] : [];
    }),
  );
}

/**
 * Halves the speed of a domain whose server asked for fewer mails, once for what was placed before it, and answers it. Processes that are
 * the first to be asked at the same time keep what one of them wrote. Locks: the row of the domain.
 */
export async function slowDown(work: Work, domain: string, asked: AskedForLess): Promise<HeldDomain> {
  const { connection, organization_id } = work;
  const now = work.now.getTime();
  const first = slowerSpeed(null, asked, now);
  const values = ({ interval, changed_at }: DomainSpeed) => [
    organization_id,
    domain,
    interval,
    new Date(changed_at).toISOString(),
  ];
  const next_at = now + first.interval;
  const inserted = await connection.query(
    `INSERT INTO mail_domain_speeds (organization_id, domain, interval_ms, changed_at, next_at)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organization_id, domain) DO NOTHING RETURNING 1`,
    [...values(first), new Date(next_at).toISOString()],
  );
  if (inserted.length > 0) return { ...first, next_at };
  const [row] = await connection.query<SpeedRow>(
    `SELECT domain, interval_ms, changed_at, next_at FROM mail_domain_speeds
      WHERE organization_id = $1 AND domain = $2 FOR UPDATE`,
    [organization_id, domain],
  );
  // Removed in between, as it had doubled to none: the next who is asked writes it.
  if (!row) return { ...first, next_at };
  const before = { interval: row.interval_ms, changed_at: Date.parse(row.changed_at) };
  const speed = slowerSpeed(before, asked, now);
  if (speed !== before) {
    await connection.query(
      'UPDATE mail_domain_speeds SET interval_ms = $3, changed_at = $4 WHERE organization_id = $1 AND domain = $2',
      values(speed),
    );
  }
  return { ...speed, next_at: Date.parse(row.next_at) };
}

/** Adds to what a slice knows what other processes have learnt since; whom it has put off keeps its place. */
export async function refreshSpeeds(work: Work, known: Speeds): Promise<void> {
  const speeds = await loadSpeeds(work);
  for (const [domain, speed] of speeds) {
    const next_at = Math.max(speed.next_at, known.get(domain)?.next_at ?? 0);
    known.set(domain, { ...speed, next_at });
  }
  for (const domain of known.keys()) if (!speeds.has(domain)) known.delete(domain);
}

/**
 * When the next mail to a domain that is held back may begin: at `by` at the latest, and later ones an interval after it. Null where
 * it may not by then, with when it may. All processes ask the same row. Locks: the row of the domain.
 */
export async function takeTurn(
  { connection, organization_id, now }: Work,
  domain: string,
  { interval, by }: { interval: number; by: number },
): Promise<{ begins_at: number | null; next_at: number }> {
  const [row] = await connection.query<{ next_at: string }>(
    `SELECT next_at FROM mail_domain_speeds WHERE organization_id = $1 AND domain = $2 FOR UPDATE`,
    [organization_id, domain],
  );
  const begins_at = Math.max(now.getTime(), row ? Date.parse(row.next_at) : 0);
  if (begins_at > by) return { begins_at: null, next_at: begins_at };
  await connection.query(
    'UPDATE mail_domain_speeds SET next_at = $3 WHERE organization_id = $1 AND domain = $2',
    [organization_id, domain, new Date(begins_at + interval).toISOString()],
  );
  return { begins_at, next_at: begins_at + interval };
}
