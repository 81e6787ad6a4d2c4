import type { Reader } from '../kernel/reader.ts';
import type { ExportColumn, Exporter } from './exporter.ts';

/** All columns of an exporter, or those that were asked for in their order; names that mean none are left out. */
export async function chosenColumns(
  reader: Reader,
  { columns, keyed }: Exporter,
  asked: readonly string[] | null,
): Promise<ExportColumn[]> {
  if (asked === null) return [...columns, ...((await keyed?.all(reader)) ?? [])];
  const chosen: ExportColumn[] = [];
  for (const name of asked) {
    const fixed = columns.find((one) => one.name === name);
    if (fixed) chosen.push(fixed);
    else if (name === keyed?.name) chosen.push(...(await keyed.all(reader)));
    else chosen.push(...(await keyedColumn(reader, keyed, name)));
  }
  return chosen;
}

/** The places of those names that mean no column. */
export async function unknownColumns(
  reader: Reader,
  { columns, keyed }: Exporter,
  asked: readonly string[],
): Promise<number[]> {
  const unknown: number[] = [];
  for (const [place, name] of asked.entries()) {
    if (name === keyed?.name || columns.some((one) => one.name === name)) continue;
    if ((await keyedColumn(reader, keyed, name)).length === 0) unknown.push(place);
  }
  return unknown;
}

async function keyedColumn(reader: Reader, keyed: Exporter['keyed'], name: string): Promise<ExportColumn[]> {
  if (!keyed || !name.startsWith(`${keyed.name}.`)) return [];
  const one = await keyed.one(reader, name.slice(keyed.name.length + 1));
  return one ? [one] : [];
}
