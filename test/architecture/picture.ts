import { arrows, floorOf, floors } from './floors.ts';

/**
 * The floors as a Mermaid picture, drawn from the imports. An arrow that follows from others (A imports B, B imports C)
 * is left out, as the picture would be black with them.
 */
export function picture(): string {
  const all = arrows();
  const parts = [...new Set([...all.keys(), ...[...all.values()].flatMap((targets) => [...targets])])].sort();
  const lines = floors.flatMap(({ name, is }, floor) => [
    `  subgraph floor${floor}["${name}"]`,
    ...parts.filter(is).map((part) => `    ${nodeOf(part)}["${part}"]`),
    '  end',
  ]);
  const direct = parts.flatMap((part) =>
    [...(all.get(part) ?? [])]
      .filter((target) => !isImplied(all, part, target))
      .sort((left, right) => floorOf(left) - floorOf(right) || (left < right ? -1 : 1))
      .map((target) => `  ${nodeOf(part)} --> ${nodeOf(target)}`),
  );
  return ['```mermaid', 'flowchart TD', ...lines, ...direct, '```'].join('\n');
}

function nodeOf(part: string): string {
  return part.replaceAll(/\W/g, '_');
}

/** Whether the target is reached through another part that the source imports. */
function isImplied(all: ReadonlyMap<string, ReadonlySet<string>>, source: string, target: string): boolean {
  return [...(all.get(source) ?? [])].some(
    (between) => between !== target && between !== source && reaches(all, between, target, new Set([source])),
  );
}

function reaches(
  all: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  target: string,
  seen: Set<string>,
): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  const next = all.get(from) ?? new Set<string>();
  return next.has(target) || [...next].some((each) => reaches(all, each, target, seen));
}
