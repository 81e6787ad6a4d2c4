import type { Reader } from '../../kernel/reader.ts';
import type { ExportColumn, Exporter } from './exporter.ts';

/** All columns of an exporter, or those that were asked for in their order; names that mean none are left out. */
export async function chosenColumns(
  reader: Reader,
  exporter: Exporter,
  asked: readonly string[] | null,
): Promise<ExportColumn[]> {
  const { columns, keyed } = exporter;
  if (asked === null) return [...columns, ...((await keyed?.all(reader)) ?? [])];
  const named = await columnsByName(reader, exporter, asked);
  const all = keyed && asked.includes(keyed.name) ? await keyed.all(reader) : [];
  return asked.flatMap((name) => named(name) ?? (name === keyed?.name ? all : []));
}

/** The places of those names that mean no column. */
export async function unknownColumns(
  reader: Reader,
  exporter: Exporter,
  asked: readonly string[],
): Promise<number[]> {
  const named = await columnsByName(reader, exporter, asked);
  const isUnknown = (name: string) => name !== exporter.keyed?.name && named(name) === null;
  return asked.flatMap((name, place) => (isUnknown(name) ? [place] : []));
}

/** What tells the column of a name, or null where it has none; what organizations keep is read once for all names. */
async function columnsByName(
  reader: Reader,
  { columns, keyed }: Exporter,
  asked: readonly string[],
): Promise<(name: string) => ExportColumn | null> {
  const fixed = new Map(columns.map((one) => [one.name, one]));
  const prefix = `${keyed?.name}.`;
  const ofKey = keyed && asked.some((name) => name.startsWith(prefix)) ? await keyed.byKey(reader) : null;
  return (name) =>
    fixed.get(name) ?? (ofKey && name.startsWith(prefix) ? ofKey(name.slice(prefix.length)) : null);
}
