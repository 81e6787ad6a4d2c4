import type { Signing } from '../../../shared/sign/guests/record.ts';

/** A field as its signer sees it; `value` is what was given so far, or filled in before. */
export type FieldShown = {
  id: string;
  signer: string;
  type: FieldType;
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  required: boolean;
  label: string | null;
  options: readonly string[] | null;
  validation: Validation | null;
  value: unknown;
  read_only: boolean;
};

export type FieldType =
  | 'signature'
  | 'initials'
  | 'stamp'
  | 'name'
  | 'text'
  | 'date'
  | 'number'
  | 'checkbox'
  | 'radio'
  | 'select';

type Validation = {
  min_length?: number | null | undefined;
  max_length?: number | null | undefined;
  format?: string | null | undefined;
  min?: string | number | null | undefined;
  max?: string | number | null | undefined;
};

/** What the page shows of a document, as the API tells it to a guest; `granted` is null without access. */
export type SigningShown = {
  title: string;
  status: 'sent' | 'signed' | 'cancelled';
  cancel_reason: 'by_sender' | 'declined' | 'expired' | null;
  sender_name: string;
  organization_name: string;
  signer: {
    id: string;
    name: string;
    email: string;
    role: 'signer' | 'approver' | 'cc';
    status: SignerStatus;
  };
  auth: Auth;
  access: 'none' | 'granted' | 'locked';
  expires_at: string | null;
  allow_forward: boolean;
  time_zone: string;
  granted: Granted | null;
};

export type Auth = 'none' | 'access_code' | 'email_otp' | 'access_code_and_otp';

type SignerStatus = 'waiting' | 'notified' | 'viewed' | 'signed' | 'declined' | 'expired' | 'cancelled';

/** What a guest sees with access alone. */
export type Granted = {
  message: string | null;
  file: {
    file_name: string;
    size_bytes: number;
    sha256: string;
    page_count: number;
    has_signatures: boolean;
  };
  fields: readonly FieldShown[];
  values_sha256: string;
  consent: { version: string; text: string };
};

/** Whether a field is for the signer to fill in: not one of another signer, of the sender, or of the day of signing. */
export function isToFill(field: FieldShown, signer_id: string): boolean {
  return field.signer === signer_id && !field.read_only && field.type !== 'date';
}

/** The fields in the order in which they are read: by page, from the top, from the left. */
export function inReadingOrder(fields: readonly FieldShown[]): FieldShown[] {
  return fields.toSorted((a, b) => a.page - b.page || rowOf(a) - rowOf(b) || a.x - b.x);
}

/** Fields that differ by less than a hundredth of the page stand in one row. */
function rowOf({ y }: FieldShown): number {
  return Math.round(y * 100);
}

/** What the page shows of what the API tells. */
export function shownFrom(signing: Signing, time_zone: string): SigningShown {
  const { message = null, allow_forward = false, file, fields, values_sha256, consent, ...rest } = signing;
  const granted =
    file && fields && values_sha256 !== undefined && consent
      ? { message, file, fields, values_sha256, consent }
      : null;
  return { ...rest, allow_forward, time_zone, granted };
}
