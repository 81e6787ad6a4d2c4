import { imports } from './imports.ts';

/**
 * The floors of the house from the top. What stands on a floor imports from lower floors, and from its own floor where
 * `beside` says so. A domain's folder is `shared/<domain>`; a new one needs no entry unless it stands above others.
 */
export const floors: readonly { name: string; is: (part: string) => boolean }[] = [
  { name: 'Programs', is: (part) => part === 'start' },
  { name: 'HTTP and jobs', is: (part) => part === 'api' || part === 'workers' },
  { name: 'List of domains', is: (part) => part === 'shared/domains.ts' },
  { name: 'Domains', is: isDomain },
  { name: 'Platform', is: (part) => part === 'shared/platform' },
  { name: 'Database', is: (part) => part === 'shared/db' },
  { name: 'Schema', is: (part) => part === 'migrations' },
  { name: 'Kernel', is: (part) => part === 'shared/kernel' },
];

const BELOW_DOMAINS = ['shared/platform', 'shared/db', 'shared/kernel', 'shared/domains.ts'];

function isDomain(part: string): boolean {
  return part.startsWith('shared/') && !BELOW_DOMAINS.includes(part);
}

/** Which domains a domain may import. Those that stand in no line import none. */
export const domainsBelow: Readonly<Record<string, readonly string[]>> = {
  invoicing: ['crm'],
  accounting: ['invoicing', 'crm'],
  scheduler: ['attendance'],
  cloud: ['accounting', 'invoicing', 'attendance', 'crm'],
  received: ['cloud', 'accounting', 'invoicing', 'attendance', 'crm'],
  mail: ['crm'],
  forms: ['cloud', 'mail', 'attendance', 'crm'],
  sign: ['cloud', 'accounting', 'invoicing', 'attendance', 'crm'],
};

/** The part of the house that a file belongs to: `api`, `shared/crm`, `shared/platform`. */
export function partOf(file: string): string {
  const [first, second] = file.split('/') as [string, string | undefined];
  if (first === 'start.ts') return 'start';
  return first === 'shared' ? `shared/${second}` : first;
}

/** The number of a part's floor, 0 at the top; -1 for what stands in none. */
export function floorOf(part: string): number {
  return floors.findIndex(({ is }) => is(part));
}

/** By part, the parts that it imports from. */
export function arrows(): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [source, target] = [partOf(from), partOf(to)];
    if (!all.has(source)) all.set(source, new Set());
    if (to.endsWith('.ts') && source !== target) all.get(source)!.add(target);
  }
  return all;
}
