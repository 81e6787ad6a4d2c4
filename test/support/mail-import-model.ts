/** A contact as an import can see and leave it. */
export type ModelContact = {
  email: string;
  first_name: string | null;
  last_name: string | null;
  attributes: Record<string, string>;
  consent: { at: string } | null;
  external_id: string | null;
  metadata: Record<string, string>;
  status: 'active' | 'unsubscribed' | 'bounced';
  /** null: not in the list; otherwise whether the person has left it. */
  membership: 'member' | 'left' | null;
};

export type ModelRow = {
  email: string;
  first_name: string;
  last_name: string;
  company: string;
  external_id: string;
  /** JSON, or blank. */
  metadata: string;
};

export type ModelOptions = {
  on_conflict: 'update' | 'fill_blank' | 'skip';
  keep_unmapped: boolean;
  joins: boolean;
  dry_run: boolean;
  /** Whether the file has columns of own IDs and metadata. */
  has_keys: boolean;
  consent: { at: string } | null;
};

export type ModelResult = {
  contacts: Map<string, ModelContact>;
  counts: Record<string, number>;
  errors: { row: number; code: string; column: string | null }[];
};

const EMAIL = /^[a-z0-9.]+@[a-z0-9]+\.[a-z]+$/i;

/**
 * The rule of an import in its plainest form: row after row, each against what the ones before have left. Knows
 * nothing of chunks, folding or the database.
 */
export function importedOneByOne(
  before: ReadonlyMap<string, ModelContact>,
  suppressed: ReadonlySet<string>,
  rows: readonly ModelRow[],
  options: ModelOptions,
): ModelResult {
  const contacts = new Map([...before].map(([key, contact]) => [key, structuredClone(contact)]));
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, duplicate: 0, suppressed: 0, error: 0 };
  const errors: ModelResult['errors'] = [];
  const seen = new Set<string>();
  rows.forEach((row, index) => {
    if (isNoRow(row, options)) return;
    const faults = faultsOf(row, options);
    for (const fault of faults) errors.push({ row: index + 2, ...fault });
    if (faults.length > 0) {
      counts.error += 1;
      return;
    }
    const key = row.email.trim().toLowerCase();
    const outcome = takeOne(contacts, key, suppressed.has(key), row, options);
    if (typeof outcome !== 'string') {
      errors.push({ row: index + 2, ...outcome });
      counts.error += 1;
      return;
    }
    if (seen.has(key)) counts.duplicate += 1;
    else counts[outcome] += 1;
    seen.add(key);
  });
  return { contacts: options.dry_run ? new Map(before) : contacts, counts, errors };
}

/** Whether the file has nothing but separators in this line. */
export function isNoRow(
  { email, first_name, last_name, company, external_id, metadata }: ModelRow,
  { has_keys }: Pick<ModelOptions, 'has_keys'>,
): boolean {
  const keys = has_keys ? [external_id, metadata] : [];
  return [email, first_name, last_name, company, ...keys].every((cell) => cell === '');
}

function faultsOf(
  { email, first_name, last_name, external_id, metadata }: ModelRow,
  { has_keys }: ModelOptions,
): Fault[] {
  const faults: Fault[] = [];
  if (email.trim() === '') faults.push({ code: 'missing_email', column: 'email' });
  else if (!EMAIL.test(email.trim())) faults.push({ code: 'invalid_email', column: 'email' });
  if (first_name.length > 100) faults.push({ code: 'too_long', column: 'first_name' });
  if (last_name.length > 100) faults.push({ code: 'too_long', column: 'last_name' });
  if (has_keys && external_id.includes(','))
    faults.push({ code: 'invalid_characters', column: 'external_id' });
  if (has_keys && metadata.startsWith('no')) faults.push({ code: 'invalid_json', column: 'metadata' });
  return faults;
}

type Fault = { code: string; column: string };

function takeOne(
  contacts: Map<string, ModelContact>,
  key: string,
  isSuppressed: boolean,
  row: ModelRow,
  { on_conflict, keep_unmapped, joins, consent, has_keys }: ModelOptions,
): 'created' | 'updated' | 'unchanged' | 'skipped' | 'suppressed' | Fault {
  const known = contacts.get(key);
  const isRefused = known && (known.status !== 'active' || (joins && known.membership === 'left'));
  if (isSuppressed || isRefused) return 'suppressed';
  const cells = { first_name: row.first_name.trim(), last_name: row.last_name.trim() };
  const company = keep_unmapped ? row.company.trim() : '';
  const external_id = has_keys ? row.external_id.trim() : '';
  const metadata =
    has_keys && row.metadata ? (JSON.parse(row.metadata) as Record<string, string | null>) : {};
  const isFree = ![...contacts].some(
    ([other, contact]) => other !== key && contact.external_id === external_id,
  );
  const taken = { code: 'already_exists', column: 'external_id' };
  if (!known) {
    if (external_id && !isFree) return taken;
    contacts.set(key, {
      email: row.email.trim(),
      first_name: cells.first_name || null,
      last_name: cells.last_name || null,
      attributes: company ? { company } : {},
      consent,
      external_id: external_id || null,
      metadata: merged({}, metadata),
      status: 'active',
      membership: joins ? 'member' : null,
    });
    return 'created';
  }
  if (on_conflict === 'skip') return 'skipped';
  const takesKey = external_id && !(on_conflict === 'fill_blank' && known.external_id);
  if (takesKey && !isFree) return taken;
  const was = JSON.stringify({ ...known, membership: null });
  const fills = on_conflict === 'fill_blank';
  for (const name of ['first_name', 'last_name'] as const) {
    if (cells[name] && !(fills && known[name])) known[name] = cells[name];
  }
  if (company && !(fills && known.attributes['company'])) known.attributes['company'] = company;
  if (takesKey) known.external_id = external_id;
  if (!(fills && Object.keys(known.metadata).length > 0)) known.metadata = merged(known.metadata, metadata);
  if (consent && (known.consent === null || (!fills && consent.at > known.consent.at)))
    known.consent = consent;
  const hasChanged = JSON.stringify({ ...known, membership: null }) !== was;
  if (joins && known.membership === null) known.membership = 'member';
  return hasChanged ? 'updated' : 'unchanged';
}

/** Entries after a change, in the order of their names: null removes one. */
function merged(
  before: Record<string, string>,
  changes: Record<string, string | null>,
): Record<string, string> {
  const entries = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.toSorted()) as Record<string, string>;
}
