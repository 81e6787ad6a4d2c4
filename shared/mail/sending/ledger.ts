import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import type { MailThrottle } from '../throttle.ts';
import {
  type Grant,
  granted,
  type Quota,
  SECOND,
  spacingOf,
  spansOf,
  type WindowName,
  windows,
} from './limits.ts';

/** A campaign, or the organization as a whole, and what limits it. */
export type Scope = { scope: string; throttle: MailThrottle };

/** What limits the mails of a campaign, each shared with others; `per_second`: of the installation. */
export type Sharing = { scopes: readonly Scope[]; per_second: number | null };

/** Milliseconds at which mails may begin, and that are between two of them. */
export type Begins = {
  begins: readonly number[];
  /** By what has a limit a second: the campaign, the organization, the installation. */
  spacings: Readonly<Record<string, number>>;
  free_at: number | null;
};

const INSTALLATION = 'installation';

/** Milliseconds within which a mail that is marked must be able to begin. */
export const HORIZON = 2_000;

/** Whether anything limits a campaign. */
export function isLimited({ scopes, per_second }: Sharing): boolean {
  return (
    per_second !== null ||
    scopes.some(({ throttle }) => Object.values(throttle).some((limit) => limit !== null))
  );
}

/**
 * Takes the right to begin up to `most` mails within the next two seconds. All processes take theirs from the same rows, so the
 * limits hold over all of them. Locks: the rows of the scopes, in a transaction of their own. Where nothing limits it, it reads nothing.
 */
export async function takeBegins(work: Work, sharing: Sharing, most: number): Promise<Begins> {
  if (!isLimited(sharing)) {
    return { begins: Array.from({ length: most }, () => 0), spacings: {}, free_at: null };
  }
  const now = work.now.getTime() * 1_000;
  const limited = sharing.scopes.filter(({ throttle }) =>
    Object.values(throttle).some((limit) => limit !== null),
  );
  const standing = await readStanding(work, limited, now);
  const installation = sharing.per_second === null ? null : await readInstallation(work);
  const paced = limited.filter(({ throttle }) => throttle.per_second !== null);
  const paces = [
    ...paced.map(({ scope, throttle }) => {
      return { scope, per_second: throttle.per_second!, next_at: standing.get(scope)!.next_at };
    }),
    ...(installation === null
      ? []
      : [{ scope: INSTALLATION, per_second: sharing.per_second!, next_at: installation }]),
  ];
  const quotas = limited.flatMap((each) => quotasOf(each, standing.get(each.scope)!));
  const grant = granted({ paces, quotas }, { now, until: now + HORIZON * 1_000, most });
  for (const [index, { scope }] of paced.entries()) standing.get(scope)!.next_at = grant.paces[index]!;
  keep(work, limited, standing, grant);
  if (installation !== null)
    work.run('UPDATE mail_send_installation SET next_at = $1', [grant.paces.at(-1)!]);
  return {
    begins: grant.begins.map((begin) => begin / 1_000),
    spacings: Object.fromEntries(
      paces.map(({ scope, per_second }) => [scope, spacingOf(per_second) / 1_000]),
    ),
    free_at: grant.free_at === null ? null : grant.free_at / 1_000,
  };
}

type Standing = {
  scope: string;
  next_at: number;
  used_hour: number;
  used_day: number;
  first_hour: number | null;
  first_day: number | null;
};

/** What of the scopes is used up, with what has become free taken off. */
async function readStanding(
  { connection, organization_id }: Work,
  limited: readonly Scope[],
  now: number,
): Promise<Map<string, Standing>> {
  const names = limited.map(({ scope }) => scope).sort();
  await connection.query(
    `INSERT INTO mail_send_paces (organization_id, scope, next_at, used_hour, used_day)
     SELECT $1, scope, 0, 0, 0 FROM unnest($2::text[]) AS scope ORDER BY scope ON CONFLICT DO NOTHING`,
    [organization_id, names],
  );
  await connection.query(
    'SELECT FROM mail_send_paces WHERE organization_id = $1 AND scope = ANY ($2) ORDER BY scope FOR UPDATE',
    [organization_id, names],
  );
  const rows = await connection.query<Standing>(
    `WITH expired AS (
       DELETE FROM mail_send_spans WHERE organization_id = $1 AND scope = ANY ($2)
         AND ((span = 'hour' AND until <= $3) OR (span = 'day' AND until <= $4)) RETURNING scope, span, count
     ), freed AS (
       SELECT scope, sum(count) FILTER (WHERE span = 'hour') AS hour, sum(count) FILTER (WHERE span = 'day') AS day
         FROM expired GROUP BY scope
     )
     SELECT pace.scope, pace.next_at, (pace.used_hour - coalesce(freed.hour, 0))::integer AS used_hour,
            (pace.used_day - coalesce(freed.day, 0))::integer AS used_day,
            (SELECT min(until) FROM mail_send_spans WHERE organization_id = $1 AND scope = pace.scope
              AND span = 'hour' AND until > $3) AS first_hour,
            (SELECT min(until) FROM mail_send_spans WHERE organization_id = $1 AND scope = pace.scope
              AND span = 'day' AND until > $4) AS first_day
       FROM mail_send_paces AS pace LEFT JOIN freed USING (scope)
      WHERE pace.organization_id = $1 AND pace.scope = ANY ($2)`,
    [organization_id, names, now - windows.hour, now - windows.day],
  );
  return new Map(rows.map((row) => [row.scope, row]));
}

async function readInstallation({ connection }: Work): Promise<number> {
  await connection.query('INSERT INTO mail_send_installation (next_at) VALUES (0) ON CONFLICT DO NOTHING');
  const [row] = await connection.query<{ next_at: number }>(
    'SELECT next_at FROM mail_send_installation FOR UPDATE',
  );
  return row!.next_at;
}

function quotasOf({ throttle }: Scope, standing: Standing): Quota[] {
  const quota = (limit: number | null, used: number, first: number | null, window: WindowName): Quota[] =>
    limit === null ? [] : [{ limit, used, free_at: first === null ? null : first + windows[window] }];
  return [
    ...quota(throttle.per_hour, standing.used_hour, standing.first_hour, 'hour'),
    ...quota(throttle.per_day, standing.used_day, standing.first_day, 'day'),
  ];
}

/** Keeps what is used up by now, also where only something became free: only what begins while a quota is set counts in it. */
function keep(
  work: Work,
  limited: readonly Scope[],
  standing: ReadonlyMap<string, Standing>,
  { begins }: Grant,
): void {
  for (const { scope, throttle } of limited.toSorted((left, right) => (left.scope < right.scope ? -1 : 1))) {
    const { next_at, used_hour, used_day } = standing.get(scope)!;
    const isIn = { hour: throttle.per_hour !== null, day: throttle.per_day !== null };
    work.run(
      `UPDATE mail_send_paces SET next_at = $3, used_hour = $4, used_day = $5
        WHERE organization_id = $1 AND scope = $2`,
      [
        work.organization_id,
        scope,
        next_at,
        used_hour + (isIn.hour ? begins.length : 0),
        used_day + (isIn.day ? begins.length : 0),
      ],
    );
    for (const span of ['hour', 'day'] as const) {
      if (isIn[span] && begins.length > 0) addSpans(work, scope, span, spansOf(span, begins));
    }
  }
}

/** Counts mails of the last minute, from which the speed of a campaign is known. */
export function countMinute(work: Work, campaign_id: string, sent: number): void {
  if (sent === 0) return;
  const until = Math.ceil(work.now.getTime() / 1_000) * SECOND;
  addSpans(work, campaign_id, 'minute', [{ until, count: sent }]);
}

/** Forgets the mails of earlier minutes, which nothing reads any more. Slices do it at their start: each group would pay for it. */
export function forgetMinutes(work: Work, campaign_id: string): void {
  work.run(
    `DELETE FROM mail_send_spans WHERE organization_id = $1 AND scope = $2 AND span = 'minute' AND until <= $3`,
    [work.organization_id, campaign_id, work.now.getTime() * 1_000 - 60 * SECOND],
  );
}

/** How many mails of each of these campaigns left in the last minute. */
export async function sentLastMinute(
  { connection, organization_id, now }: Reader,
  campaign_ids: readonly string[],
): Promise<(campaign_id: string) => number> {
  if (campaign_ids.length === 0) return () => 0;
  const rows = await connection.query<{ scope: string; count: number }>(
    `SELECT scope, sum(count)::integer AS count FROM mail_send_spans
      WHERE organization_id = $1 AND scope = ANY ($2) AND span = 'minute' AND until > $3 GROUP BY scope`,
    [organization_id, campaign_ids, now.getTime() * 1_000 - 60 * SECOND],
  );
  const counts = new Map(rows.map(({ scope, count }) => [scope, count]));
  return (campaign_id) => counts.get(campaign_id) ?? 0;
}

function addSpans(
  work: Work,
  scope: string,
  span: 'minute' | WindowName,
  spans: readonly { until: number; count: number }[],
): void {
  work.run(
    `INSERT INTO mail_send_spans AS known (organization_id, scope, span, until, count)
     SELECT $1, $2, $3, until, count FROM unnest($4::bigint[], $5::integer[]) AS given (until, count) ORDER BY until
     ON CONFLICT (organization_id, scope, span, until) DO UPDATE SET count = known.count + excluded.count`,
    [work.organization_id, scope, span, spans.map(({ until }) => until), spans.map(({ count }) => count)],
  );
}
