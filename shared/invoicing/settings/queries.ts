import { numberWarnings, type Warning } from '../../crm/corporate-number.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type DocumentKind, documentKinds, writtenKinds } from '../documents/kinds.ts';
import { defaultNumbering, defaultSettings } from './defaults.ts';
import { standardTemplates } from './email-templates.ts';
import type { DocumentEmailTemplate, DocumentNumbering, InvoiceSettings, SettingsImage } from './record.ts';

/** What is kept, in the order of the statements. */
export const columns = [
  'issuer_name',
  'issuer_detail',
  'issuer_registration_number',
  'logo_sha256',
  'seal_sha256',
  'bank_account',
  'time_zone',
  'fiscal_year_start_month',
  'default_tax_display_mode',
  'default_tax_rounding',
  'default_due',
  'memo_templates',
  'email_templates',
  'numbering',
  'reply_to',
  'window_envelope',
  'approval_required',
  'locale',
  'updated_at',
] as const;

type PlainColumn = Exclude<
  (typeof columns)[number],
  `${string}_sha256` | `${string}_templates` | 'numbering'
>;

/** What is kept of the settings: of templates and numbering only what differs from the standard. */
export type SettingsRow = Pick<InvoiceSettings, PlainColumn> & {
  logo_sha256: string | null;
  seal_sha256: string | null;
  memo_templates: Partial<InvoiceSettings['memo_templates']>;
  email_templates: Partial<Record<DocumentKind, Partial<DocumentEmailTemplate>>>;
  numbering: Partial<Record<DocumentKind, Partial<DocumentNumbering>>>;
};

/** The settings as they are kept and as the API shows them. */
export type FoundSettings = { row: SettingsRow; shown: InvoiceSettings; organization_name: string };

/** The settings as documents use them: the issuer has a name, if need be the organization's. */
export type SettingsInForce = InvoiceSettings & { issuer_name: string };

type Found = SettingsRow & {
  is_kept: boolean;
  organization_name: string;
  created_at: string;
  logo: SettingsImage | null;
  seal: SettingsImage | null;
};

const image = (name: 'logo' | 'seal') => `(
    SELECT json_build_object('sha256', sha256, 'width', width, 'height', height) FROM invoicing_images
     WHERE organization_id = o.id AND sha256 = s.${name}_sha256) AS ${name}`;

const FIND = `SELECT ${columns.map((column) => `s.${column}`).join(', ')}, s.organization_id IS NOT NULL AS is_kept,
    o.name AS organization_name, o.created_at, ${image('logo')}, ${image('seal')}
  FROM organizations o LEFT JOIN invoicing_settings s ON s.organization_id = o.id WHERE o.id = $1`;

/** The settings of the reader's organization; the defaults where nobody has changed any. Errors: `not_found`. */
export async function findSettings({ connection, organization_id }: Reader): Promise<FoundSettings> {
  const [found] = await connection.query<Found>(FIND, [organization_id], { alone: true });
  if (!found) throw notFound();
  const { is_kept, organization_name, created_at, logo, seal, ...kept } = found;
  const row: SettingsRow = is_kept ? kept : { ...nothingKept, updated_at: created_at };
  const images = { logo, seal };
  return { row, organization_name, shown: shownSettings(organization_id, { row, images, created_at }) };
}

const nothingKept = {
  ...defaultSettings,
  logo_sha256: null,
  seal_sha256: null,
  memo_templates: {},
  email_templates: {},
  numbering: {},
};

/** The time zone in which days of the organization begin. */
export async function timeZoneOf({ connection, organization_id }: Reader): Promise<string> {
  const [row] = await connection.query<{ time_zone: string }>(
    'SELECT time_zone FROM invoicing_settings WHERE organization_id = $1',
    [organization_id],
  );
  return row?.time_zone ?? defaultSettings.time_zone;
}

/** The settings that documents are made by. */
export async function settingsOf(reader: Reader): Promise<SettingsInForce> {
  const { shown, organization_name } = await findSettings(reader);
  return { ...shown, issuer_name: shown.issuer_name ?? organization_name };
}

type Showing = {
  row: SettingsRow;
  images: { logo: SettingsImage | null; seal: SettingsImage | null };
  created_at: string;
};

/** A row as the API shows it, what it leaves out filled with the standard. */
export function shownSettings(
  organization_id: string,
  { row, images, created_at }: Showing,
): InvoiceSettings {
  const { logo_sha256, seal_sha256, memo_templates, email_templates, numbering, updated_at, ...plain } = row;
  const standard = standardTemplates[row.locale];
  return {
    id: organization_id,
    object: 'invoicing.invoice_settings',
    ...plain,
    ...images,
    memo_templates: byKind(writtenKinds, (kind) => memo_templates[kind] ?? null),
    email_templates: byKind(documentKinds, (kind) => ({ ...standard[kind], ...email_templates[kind] })),
    numbering: byKind(documentKinds, (kind) => ({ ...defaultNumbering[kind], ...numbering[kind] })),
    warnings: registrationWarnings(row.issuer_registration_number),
    created_at,
    updated_at,
  };
}

function byKind<Kind extends string, Value>(
  kinds: readonly Kind[],
  of: (kind: Kind) => Value,
): Record<Kind, Value> {
  return Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as Record<Kind, Value>;
}

function registrationWarnings(number: string | null): Warning[] {
  return numberWarnings({ invoice_registration_number: number }).map(({ message }) => ({
    path: '/issuer_registration_number',
    code: 'registration_number_checksum',
    message,
  }));
}
