import { median } from '../imports/measuring.ts';
import { call } from './calls.ts';
import type { BenchOffice } from './office.ts';

const ROUNDS = Number(process.env['BENCH_TIMES'] ?? 200) / 4;

/** A folder, and what is below it. */
type Folder = { id: string; name: string; aim: string };

/** Moves, trips to the trash and back of folders, in turns; the first of them is empty. */
export async function trips(office: BenchOffice, folders: readonly Folder[]): Promise<string> {
  const { body } = await call(office, 'POST', '/folders', { name: 'There' });
  const there = (body as { folder: { id: string } }).folder.id;
  const took = folders.map(() => ({ move: [] as number[], trash: [] as number[], restore: [] as number[] }));
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const [index, { id }] of folders.entries()) {
      const parent_id = round % 2 === 0 ? there : null;
      const move = await call(office, 'PATCH', `/folders/${id}`, { parent_id });
      const trash = await call(office, 'DELETE', `/folders/${id}`);
      const restore = await call(office, 'POST', `/trash/${id}/restore`, {});
      if (round < 0) continue;
      for (const [what, ended] of Object.entries({ move, trash, restore }))
        took[index]![what as 'move'].push(ended.took);
    }
  }
  const lines = [
    '| | move, ms | trash, ms | restore, ms | beside empty | aim |',
    '|---|---|---|---|---|---|',
  ];
  for (const [index, { name, aim }] of folders.entries()) {
    const all = (['move', 'trash', 'restore'] as const).map((what) => ({
      own: median(took[index]![what]),
      empty: median(took[0]![what]),
    }));
    const beside = all.map(({ own, empty }) => `${(own / empty).toFixed(2)}, ${(own - empty).toFixed(1)} ms`);
    lines.push(
      `| ${name} | ${all.map(({ own }) => own.toFixed(1)).join(' | ')} | ${beside.join('; ')} | ${aim} |`,
    );
  }
  return lines.join('\n');
}
