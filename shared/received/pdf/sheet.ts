import type { TaxCategory } from '../../invoicing/tax/rates.ts';
import { localTime } from '../../kernel/instant-words.ts';
import type { Text } from '../../kernel/language.ts';
import { kinds, type ReceivedKind } from '../documents/kinds.ts';
import type { ReceivedDocument } from '../documents/record.ts';

/** Something that the sheet says: what it is called, in Japanese and English, and its value as written. */
export type SheetFact = { label: string; value: string };

/** All that a record sheet prints. It stands beside a document whose paper is not a PDF, or that has none. */
export type RecordSheet = {
  title: Text;
  organization: string;
  facts: readonly SheetFact[];
  lines: readonly {
    description: string;
    quantity: string;
    unit_price: string;
    rate: string;
    amount: string;
  }[];
  totals: readonly SheetFact[];
  files: readonly { name: string; detail: string; sha256: string }[];
};

/** Changes with what the sheet looks like: then those of before are made anew. */
export const SHEET_VERSION = 3;

const statusWords: Readonly<Record<string, string>> = {
  pending: '未処理 / pending',
  approved: '承認済み / approved',
  rejected: '却下 / rejected',
  partially_paid: '一部支払済み / partially paid',
  paid: '支払済み / paid',
  fulfilled: '履行済み / fulfilled',
  confirmed: '検収済み / confirmed',
};

/** What due dates of the kinds are. */
const dueWords: Readonly<Record<ReceivedKind, string>> = {
  invoice: '支払期限 / Due on',
  quotation: '有効期限 / Valid until',
  purchase_order: '納期 / Wanted by',
  delivery_note: '',
};

/** What is taxed at a rate in percent, by its category. */
const rateWords: Readonly<Record<TaxCategory, (percent: number) => string>> = {
  standard: (percent) => `${percent}%対象 / Taxed at ${percent}%`,
  reduced: (percent) => `${percent}%対象（軽減） / Taxed at ${percent}% (reduced)`,
  legacy_8: (percent) => `旧${percent}%対象 / Taxed at ${percent}% (before 2019)`,
  zero_rated: () => '免税 / Zero-rated',
  exempt: () => '非課税 / Exempt',
  out_of_scope: () => '不課税 / Out of scope',
};

/** Who received a document, and where the clock is that its instants are told by. */
export type Recipient = { organization: string; time_zone: string };

/** The sheet of a document as it is now. */
export function sheetOf(document: ReceivedDocument, { organization, time_zone }: Recipient): RecordSheet {
  return {
    title: kinds[document.kind].title,
    organization,
    facts: factsOf(document, time_zone),
    lines: document.lines.map((line) => ({
      description: line.description,
      quantity: [line.quantity, line.unit].filter((part) => part !== null).join(' '),
      unit_price: line.unit_price === null ? '' : grouped(line.unit_price),
      rate: line.tax_rate === null ? '' : `${line.tax_rate}%`,
      amount: line.amount === null ? '' : grouped(line.amount),
    })),
    totals: totalsOf(document),
    files: document.files.map((file) => ({
      name: file.file_name,
      detail: [
        file.content_type,
        `${grouped(file.size_bytes)} bytes`,
        localTime(file.uploaded_at, time_zone),
        ...(file.superseded_by === null ? [] : ['差し替え済み / superseded']),
      ].join('  '),
      sha256: file.sha256,
    })),
  };
}

function factsOf(document: ReceivedDocument, time_zone: string): SheetFact[] {
  const { transaction_from: from, transaction_to: to } = document;
  const told: readonly [label: string, value: string | null][] = [
    ['ID', document.id],
    ['状態 / Status', statusWords[document.status] ?? document.status],
    ['番号 / Number', document.number],
    ['取引先 / Company', document.company_name],
    ['登録番号 / Registration number', document.registration_number],
    ['発行日 / Issued on', document.issue_date],
    ['取引日 / Transaction date', document.transaction_date],
    ['取引期間 / Transaction period', from === null || to === null ? null : `${from} – ${to}`],
    ['受領日 / Received on', document.received_on],
    [dueWords[document.kind], document.due_date],
    ['件名 / Subject', document.subject],
    ['備考 / Memo', document.memo],
    ['登録日時 / Registered at', localTime(document.created_at, time_zone)],
    ['却下理由 / Reason', document.reject_reason],
  ];
  return told.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]));
}

function totalsOf(document: ReceivedDocument): SheetFact[] {
  const { subtotal, tax, total, withholding_tax, tax_breakdown } = document;
  const rates = tax_breakdown.map(({ tax_category, tax_rate, net, tax }) => ({
    label: rateWords[tax_category](tax_rate),
    value: `${grouped(net)} + ${grouped(tax)}`,
  }));
  const withheld = withholding_tax === 0 ? [] : [yen('源泉徴収税額 / Withholding tax', withholding_tax)];
  return [
    yen('小計 / Subtotal', subtotal),
    ...rates,
    yen('消費税 / Tax', tax),
    yen('合計 / Total', total),
    ...withheld,
  ];
}

const yen = (label: string, amount: number): SheetFact => ({ label, value: `¥${grouped(amount)}` });

/** A number with its thousands apart; decimals stay as they are written. */
function grouped(amount: number | string): string {
  const [whole = '', ...rest] = String(amount).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.');
}
