/** What was opened of one mail: its picture (`link_index` null) or a link, and when in milliseconds. */
export type TimedRead = { link_index: number | null; at: number };

/** Nobody opens that many different links of a mail within this time. */
export const PACE = 5_000;

const LINKS_OF_ROBOTS = 3;

/**
 * Whether a read is too fast for a person: with the clicks on the same mail in the five seconds before it and its own, three different
 * links were opened, or two where the mail has no more. So the click that reaches that is one of a robot, and so is what follows
 * until the first of those clicks is five seconds old. `before`: what was opened before it, in any order.
 */
export function isTooFast(read: TimedRead, before: readonly TimedRead[], link_count: number): boolean {
  const needed = Math.min(LINKS_OF_ROBOTS, link_count);
  if (needed < 2) return false;
  const recent = [...before.filter(({ at }) => at > read.at - PACE), read];
  const links = new Set(recent.flatMap(({ link_index }) => link_index ?? []));
  return links.size >= needed;
}
