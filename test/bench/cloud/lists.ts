import { median } from '../imports/measuring.ts';
import { call } from './calls.ts';
import type { BenchOffice } from './office.ts';

const TIMES = Number(process.env['BENCH_TIMES'] ?? 200);
const PAGE = 50;

type Folder = { id: string; files: number };

/** Pages of a large folder beside those of one of 100 files, totals included, in turns. */
export async function lists(office: BenchOffice, large: Folder, small: Folder): Promise<string> {
  const lines = [
    `| pages of ${PAGE} | ${large.files} files, ms | ${small.files} files, ms | rate large/small (aim 0.9) |`,
    '|---|---|---|---|',
  ];
  const places = { 'first page': 0, 'page in the middle': 0.5, 'last page': 1 };
  for (const [name, pathOf] of Object.entries(kinds)) {
    for (const [place, share] of Object.entries(places)) {
      const paths = [await pathAt(office, pathOf, large, share), await pathAt(office, pathOf, small, share)];
      const took: [number[], number[]] = [[], []];
      for (let time = -10; time < TIMES; time += 1) {
        for (const [index, path] of paths.entries()) {
          const ended = await call(office, 'GET', path);
          if (time >= 0) took[index]!.push(ended.took);
        }
      }
      const ratio = median(took[1]) / median(took[0]);
      const shown = took.map((each) => median(each).toFixed(1));
      lines.push(`| ${name}, ${place} | ${shown.join(' | ')} | ${ratio.toFixed(2)} |`);
    }
  }
  return lines.join('\n');
}

type PathOf = (id: string) => { path: string; order: string };

const kinds: Record<string, PathOf> = {
  'children by name': (id) => ({ path: `/folders/${id}/children?limit=${PAGE}`, order: 'name_key, id' }),
  'files, newest first': (id) => ({ path: `/files?folder_id=${id}&limit=${PAGE}`, order: 'id DESC' }),
};

/** The path of a page of 50 that begins so far down; in a folder of 100 the middle and the end are its second half. */
async function pathAt({ database, actor }: BenchOffice, pathOf: PathOf, folder: Folder, share: number) {
  const { path, order } = pathOf(folder.id);
  if (share === 0) return path;
  const offset = Math.min(Math.floor(folder.files * share), folder.files - PAGE) - 1;
  const [row] = await database.withConnection(actor.organization_id, ({ query }) =>
    query<{ id: string }>(
      `SELECT id FROM cloud_items WHERE organization_id = $1 AND parent_id = $2
        ORDER BY ${order} LIMIT 1 OFFSET ${offset}`,
      [actor.organization_id, folder.id],
    ),
  );
  return `${path}&starting_after=${row!.id}`;
}
