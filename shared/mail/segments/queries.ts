import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type Segment, SegmentModel, segmentKind } from './record.ts';

const columns = ['id', 'name', 'filter', 'external_id', 'metadata', 'created_at', 'updated_at'] as const;

type SegmentRow = Pick<Segment, (typeof columns)[number]>;

const BY_ID = `SELECT ${columns.join(', ')} FROM mail_segments WHERE organization_id = $1 AND id = $2`;

/** One segment. Errors: `not_found`. */
export async function segmentById(reader: Reader, id: string): Promise<Segment> {
  return readSegment(reader, id, '');
}

/** The same, its row locked until the work commits; for a removal no campaign begins to name it. Errors: `not_found`. */
export async function lockSegment(
  reader: Reader,
  id: string,
  purpose: 'change' | 'removal',
): Promise<Segment> {
  return readSegment(reader, id, purpose === 'change' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE');
}

async function readSegment(
  { connection, organization_id }: Reader,
  id: string,
  lock: '' | 'FOR NO KEY UPDATE' | 'FOR UPDATE',
): Promise<Segment> {
  const [row] = await connection.query<SegmentRow>(`${BY_ID} ${lock}`, [organization_id, id]);
  if (!row) throw notFound();
  return segmentOf(row);
}

/** A row as the API shows it. */
function segmentOf(row: SegmentRow): Segment {
  const { id, ...fields } = pick(row, columns);
  return { id, object: 'mail.segment', ...fields };
}

/** A window of the segments. Errors: `invalid_cursor`. */
export async function segmentPage(reader: Reader, filters: LookUps, window: Window): Promise<Page<Segment>> {
  const page = await pageOf<SegmentRow>(reader, {
    query: SegmentModel.table(reader),
    table: SegmentModel.tableName,
    columns,
    prefix: 'mseg',
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: segmentKind, asked: filters },
  });
  return { ...page, rows: page.rows.map(segmentOf) };
}
