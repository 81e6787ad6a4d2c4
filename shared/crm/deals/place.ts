import { oneOf } from '../../db/one-of.ts';
import { Failure } from '../../kernel/failure.ts';
import { joined, sameText } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import {
  bottomPosition,
  isGoodPosition,
  type Placed,
  positionBetween,
  positionsBetween,
  standsBelow,
} from '../board-position.ts';

/** Beside which deal of the stage: above `before_id` or below `after_id`. */
export type Neighbour = { before_id: string } | { after_id: string };

/** The place of a deal that comes into a stage without being given one: below all others. */
export async function bottomOf(reader: Reader, stage_id: string): Promise<string> {
  const [last] = await reader.connection.query<Placed>(
    `SELECT position FROM crm_deals WHERE organization_id = $1 AND stage_id = $2
      ORDER BY position DESC, id DESC LIMIT 1`,
    [reader.organization_id, stage_id],
  );
  return bottomPosition(last?.position ?? null, reader.now);
}

/**
 * The position of a deal beside another one, its own where it stands there already. The caller holds the stage, so
 * that no two places are thought out at once. Where neighbours have no room between them they are moved apart; their
 * order stays, so this is not a change of theirs.
 * Errors: `unknown_reference` at /before_id or /after_id.
 */
export async function placeBeside(
  work: Work,
  deal: Placed & { stage_id: string },
  stage_id: string,
  neighbour: Neighbour,
): Promise<string> {
  const isAbove = 'before_id' in neighbour;
  const anchor = await anchorOf(work, deal, stage_id, neighbour);
  const [next] = await nearest(work, deal.id, stage_id, anchor, isAbove ? 'above' : 'below', 1);
  const [above, below] = isAbove ? [next, anchor] : [anchor, next];
  if (deal.stage_id === stage_id && isBetween(deal, above, below)) return deal.position;
  const position = positionBetween(above?.position ?? null, below?.position ?? null);
  if (isGoodPosition(position, above?.position ?? null, below?.position ?? null)) return position;
  return moveApart(work, deal.id, stage_id, anchor, isAbove);
}

async function anchorOf(work: Work, deal: Placed, stage_id: string, neighbour: Neighbour): Promise<Placed> {
  const [path, id] =
    'before_id' in neighbour ? ['/before_id', neighbour.before_id] : ['/after_id', neighbour.after_id];
  const [anchor] = await work.connection.query<Placed>(
    'SELECT id, position FROM crm_deals WHERE organization_id = $1 AND id = $2 AND stage_id = $3',
    [work.organization_id, id, stage_id],
  );
  if (anchor && anchor.id !== deal.id) return anchor;
  const message = {
    en: `${id} is no other deal of the stage`,
    ja: `${id} はこのステージのほかの案件ではありません`,
  };
  throw new Failure('unknown_reference', {
    detail: joined([sameText(path!.slice(1)), message], ': '),
    errors: [{ in: 'body', path: path!, code: 'unknown_reference', message }],
  });
}

/** The deals next to a place in a stage, the nearest first; `but` is the deal that is about to move. */
async function nearest(
  work: Work,
  but: string,
  stage_id: string,
  { position, id }: Placed,
  side: 'above' | 'below',
  count: number,
): Promise<Placed[]> {
  const [sign, order] = side === 'above' ? ['<', 'DESC'] : ['>', 'ASC'];
  return work.connection.query<Placed>(
    `SELECT id, position FROM crm_deals
      WHERE organization_id = $1 AND stage_id = $2 AND (position, id) ${sign} ($3::numeric, $4) AND id <> $5
      ORDER BY position ${order}, id ${order} LIMIT $6`,
    [work.organization_id, stage_id, position, id, but, count],
  );
}

function isBetween(deal: Placed, above: Placed | undefined, below: Placed | undefined): boolean {
  return (!above || standsBelow(deal, above)) && (!below || standsBelow(below, deal));
}

const FIRST_NEIGHBOURS = 50;

/** Gives the deals around a place new positions between those that stay, as many as it takes to make room. */
async function moveApart(
  work: Work,
  deal_id: string,
  stage_id: string,
  anchor: Placed,
  isAbove: boolean,
): Promise<string> {
  for (let count = FIRST_NEIGHBOURS; ; count *= 8) {
    const [above, below] = await Promise.all([
      nearest(work, deal_id, stage_id, anchor, 'above', count),
      nearest(work, deal_id, stage_id, anchor, 'below', count),
    ]);
    const low = above.length === count ? above.pop()! : null;
    const high = below.length === count ? below.pop()! : null;
    const moved = { id: deal_id, position: '' };
    const middle = isAbove ? [moved, anchor] : [anchor, moved];
    const inOrder = [...above.toReversed(), ...middle, ...below];
    const positions = positionsBetween(low?.position ?? null, high?.position ?? null, inOrder.length);
    if (!positions) continue;
    const placed = inOrder.map(({ id }, index) => ({ id, position: positions[index]! }));
    writePositions(
      work,
      stage_id,
      placed.filter(({ id }) => id !== deal_id),
    );
    return placed.find(({ id }) => id === deal_id)!.position;
  }
}

function writePositions(work: Work, stage_id: string, placed: readonly Placed[]): void {
  const ids = placed.map(({ id }) => id);
  work.run(
    `SELECT FROM crm_deals WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, ids],
  );
  work.run(
    `UPDATE crm_deals AS deal SET position = placed.position
       FROM unnest($2::text[], $3::numeric[]) AS placed (id, position)
      WHERE deal.organization_id = $1 AND deal.id = placed.id AND deal.stage_id = $4`,
    [work.organization_id, ids, placed.map(({ position }) => position), stage_id],
  );
}
