import type { Page, Schema } from './schema.ts';

/** Where a page leads to: numbers of later pages; the number of pages where it ends the form. */
export type Ways = readonly number[];

/** Where each page leads to, whatever is answered. A page that is not shown leads to the one after it. */
export function waysOf({ pages }: Schema): Ways[] {
  return pages.map((page, number) => {
    const targets = rulesThatMayHold(page).map(({ to }) =>
      to.startsWith('end:') ? pages.length : pages.findIndex(({ id }) => id === to),
    );
    const fallsThrough =
      page.show_if !== undefined || !(page.next ?? []).some((rule) => rule.if === undefined);
    return fallsThrough ? [...targets, number + 1] : targets;
  });
}

/** The rules of a page up to the one that always holds. */
function rulesThatMayHold({ next = [] }: Page): readonly { to: string }[] {
  const last = next.findIndex((rule) => rule.if === undefined);
  return last < 0 ? next : next.slice(0, last + 1);
}

/** The numbers of the pages that some answers lead to. */
export function reachablePages(schema: Schema): Set<number> {
  const ways = waysOf(schema);
  const reached = new Set([0]);
  for (const [number, targets] of ways.entries()) {
    if (!reached.has(number)) continue;
    for (const target of targets) if (target < ways.length) reached.add(target);
  }
  return reached;
}

/** The numbers of the pages that are shown whatever is answered. */
export function certainPages(schema: Schema): Set<number> {
  const ways = waysOf(schema);
  const reached = reachablePages(schema);
  let farthest = 0;
  const certain = new Set<number>();
  for (const [number, { show_if }] of schema.pages.entries()) {
    if (!reached.has(number)) continue;
    if (farthest <= number && show_if === undefined) certain.add(number);
    farthest = Math.max(farthest, ...ways[number]!);
  }
  return certain;
}
