import type { Connection } from '../../kernel/connection.ts';
import type { Text } from '../../kernel/language.ts';

/** A record that stands still until somebody mends something; `since`: ISO 8601. Nothing of what it says, and nobody's name. */
export type StandingRecord = { id: string; organization_id: string; reason: string; since: string };

/** What of a domain may stand still by a trouble of the service or of what it uses, as operators see it. */
export type Standing = {
  /** How the pages call them, and one of them. The English title makes the anchor of the panel. */
  title: Text;
  one: Text;
  /** Of all organizations, the oldest first. Each reason by an index: however many others there are, it reads no more than it answers. */
  find(connection: Connection, options: { now: Date; limit: number }): Promise<readonly StandingRecord[]>;
  /** What is told of each reason, and what to do about it. `path`: the page that shows more. */
  reasons: Readonly<Record<string, { why: Text; what_to_do: Text; path?: string }>>;
};

/** Records that stand still, of those that were asked for the oldest. */
export type Stood = { standing: Standing; records: readonly StandingRecord[]; most: number };

/** Finds what stands still, the `most` oldest of each kind. */
export function readStandings(
  connection: Connection,
  standings: readonly Standing[],
  { now, most }: { now: Date; most: number },
): Promise<Stood[]> {
  return Promise.all(
    standings.map(async (standing) => {
      return { standing, records: await standing.find(connection, { now, limit: most }), most };
    }),
  );
}
