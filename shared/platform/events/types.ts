/**
 * The types that a filter names: `crm.company.*,invoice.paid`. A part that ends with `.*` stands for all types below
 * those words. Each is answered once.
 */
export function typesNamed<Type extends string>(filter: string, known: readonly Type[]): Type[] {
  const parts = partsOf(filter);
  return known.filter((type) => parts.some((part) => names(part, type)));
}

/** The parts of such a filter that name no type at all. */
export function unknownTypesIn(filter: string, known: readonly string[]): string[] {
  return partsOf(filter).filter((part) => !known.some((type) => names(part, type)));
}

function partsOf(filter: string): string[] {
  return filter.split(',').map((part) => part.trim());
}

function names(part: string, type: string): boolean {
  return part.endsWith('.*') ? type.startsWith(part.slice(0, -1)) : part === type;
}
