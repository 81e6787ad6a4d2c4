import { startSink } from './bench-sink.ts';
import { openOffice } from './office.ts';
import { campaign } from './speed.ts';

const SIZES = (process.env['BENCH_SIZES'] ?? '10000,100000').split(',').map(Number);

/** The most memory that workers hold while they send small and large campaigns. */
export async function memory(): Promise<string> {
  const lines = ['| recipients | workers MiB | aim |', '|---|---|---|'];
  let smallest: number | null = null;
  for (const size of SIZES) {
    const sink = await startSink();
    const office = await openOffice(size);
    const { memory: most } = await campaign(office, sink, 5);
    const aim = smallest === null ? 300 : Math.round(smallest + 20);
    smallest ??= most;
    lines.push(`| ${size} | ${Math.round(most)} | ${aim} |`);
    sink.stop();
    await office.close();
  }
  return lines.join('\n');
}
