import { type FieldError, invalidAll, notFound } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import { documentKinds } from '../documents/kinds.ts';
import { patternFault } from '../number-pattern.ts';
import { columns, type FoundSettings, findSettings, type SettingsRow, shownSettings } from './queries.ts';
import { type InvoiceSettings, type InvoiceSettingsPatch, invoiceSettingsFacts } from './record.ts';

/** The images that the settings hold. */
export type SettingsImageName = 'logo' | 'seal';

/**
 * Changes the fields sent. Errors: `precondition_failed`, `validation_failed` for a pattern of numbers that is wrong
 * together with when the numbers begin again.
 */
export async function updateSettings(work: Work, patch: InvoiceSettingsPatch): Promise<InvoiceSettings> {
  const before = await lockSettings(work);
  const { memo_templates = {}, email_templates = {}, numbering = {}, ...plain } = patch;
  const row: SettingsRow = {
    ...before.row,
    ...plain,
    memo_templates: withoutNull({ ...before.row.memo_templates, ...memo_templates }),
    email_templates: eachChanged(before.row.email_templates, email_templates),
    numbering: eachChanged(before.row.numbering, numbering),
  };
  return save(work, before, { row, logo: before.shown.logo, seal: before.shown.seal });
}

/** Shows another image, or none. Errors: `precondition_failed`, `not_found` when there is none to remove. */
export async function updateSettingsImage(
  work: Work,
  name: SettingsImageName,
  image: InvoiceSettings['logo'],
): Promise<InvoiceSettings> {
  const before = await lockSettings(work);
  const { logo, seal } = before.shown;
  if (!image && !before.shown[name]) throw notFound();
  const row: SettingsRow = { ...before.row, [`${name}_sha256`]: image?.sha256 ?? null };
  return save(work, before, { logo, seal, row, [name]: image });
}

/** There need be no row of them yet, so the organization's is what two changes at a time wait for. */
async function lockSettings(work: Work): Promise<FoundSettings> {
  await lockOrganization(work.connection, work.organization_id);
  const found = await findSettings(work);
  work.precondition(found.shown);
  return found;
}

type Changed = { row: SettingsRow } & Pick<InvoiceSettings, SettingsImageName>;

function save(work: Work, before: FoundSettings, { row, logo, seal }: Changed): InvoiceSettings {
  const { id, created_at } = before.shown;
  const images = { logo, seal };
  const changed = shownSettings(id, { row, images, created_at });
  refuseWrongPatterns(changed);
  if (work.isSame(invoiceSettingsFacts.updated, before.shown, changed)) return before.shown;
  const updated_at = work.touch(before.shown);
  store(work, { ...row, updated_at });
  const after = { ...changed, updated_at };
  work.record(invoiceSettingsFacts.updated, { before: before.shown, after });
  return after;
}

function refuseWrongPatterns({ numbering }: InvoiceSettings): void {
  const faults = documentKinds.flatMap((kind): FieldError[] => {
    const { pattern, reset } = numbering[kind];
    const fault = patternFault(pattern, reset);
    return fault ? [{ in: 'body', path: `/numbering/${kind}/pattern`, ...fault }] : [];
  });
  if (faults.length > 0) throw invalidAll(faults);
}

const IN_JSON = ['bank_account', 'default_due', 'memo_templates', 'email_templates', 'numbering'];

const STORE = `INSERT INTO invoicing_settings (organization_id, ${columns.join(', ')})
  VALUES ($1, ${columns.map((_, index) => `$${index + 2}`).join(', ')})
  ON CONFLICT (organization_id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`;

function store(work: Work, row: SettingsRow): void {
  const values = columns.map((column) => {
    const value = row[column];
    return IN_JSON.includes(column) && value !== null ? JSON.stringify(value) : value;
  });
  work.run(STORE, [work.organization_id, ...values]);
}

type ByKind = Record<string, Record<string, unknown> | undefined>;

/** The parts of each kind, those sent in the place of the earlier ones; null and what is empty is left out. */
function eachChanged<Kept extends ByKind>(kept: Kept, sent: ByKind): Kept {
  const kinds = new Set([...Object.keys(kept), ...Object.keys(sent)]);
  const changed = [...kinds].map((kind) => [kind, withoutNull({ ...kept[kind], ...sent[kind] })] as const);
  return Object.fromEntries(changed.filter(([, parts]) => Object.keys(parts).length > 0)) as Kept;
}

function withoutNull<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Fields;
}
