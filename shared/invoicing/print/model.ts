/** The form of `Print`: raised with every change that an older template could not show. */
export const PRINT_FORM = 1;

/** The language of a page. */
export type PrintLocale = 'ja' | 'en';

/** The kinds of document that have a page. */
export type PrintKind = 'quotation' | 'invoice' | 'delivery_note' | 'purchase_order' | 'credit_note';

/** An image by the SHA-256 of its bytes (hexadecimal), and its size in pixels. */
export type PrintImage = { sha256: string; width: number; height: number };

/** A text with what it is called on the page. */
export type PrintField = { label: string; value: string };

/** A row of the table. A text line has its description alone; what a page without prices leaves out is empty. */
export type PrintLine = {
  type: 'item' | 'text';
  /** Its place among the items: `12`. */
  position: string;
  description: string;
  item_code: string;
  /** What marks a reduced rate: `※`. */
  mark: string;
  quantity: string;
  unit: string;
  unit_price: string;
  rate: string;
  amount: string;
  /** What the amounts come to up to and with this line: shown where a page ends after it. */
  running: string;
};

/** The heads of the table's columns, in the order in which they stand. */
export type PrintColumns = {
  position: string;
  description: string;
  quantity: string;
  unit: string;
  unit_price: string;
  rate: string;
  amount: string;
};

/** The sums of one tax category, and the heads of their columns in `PrintSums`. */
export type PrintTax = { label: string; net: string; tax: string; gross: string };

/** What stands below the table of a page with prices. */
export type PrintSums = {
  /** Subtotal, tax, total, and where tax is withheld what that is and what is left. The strong one is the headline. */
  rows: (PrintField & { strong: boolean })[];
  breakdown_title: string;
  breakdown_heads: PrintTax;
  breakdown: PrintTax[];
};

/**
 * All that a document's page shows, as the texts that it shows: nothing is computed, formatted or translated from
 * here on. It is kept as JSON from the day of issue, so that the page can be made again from it alone. What a page
 * does not have is null, or an empty list.
 */
export type Print = {
  form: typeof PRINT_FORM;
  kind: PrintKind;
  locale: PrintLocale;
  /** `下書き` across the page of a draft. */
  draft_mark: string | null;
  window_envelope: 'none' | 'left' | 'right';
  title: string;
  subtitle: string | null;
  number: string | null;
  /** Title and number in one line: the file's title, and the head of the pages after the first. */
  running_head: string;
  recipient: {
    /** Postal code, address and building, a line each. */
    address: string[];
    name: string;
    honorific: string;
    /** A person there, with what follows a name in letters. */
    person: string | null;
  };
  /** Number and dates. */
  facts: PrintField[];
  issuer: {
    name: string;
    detail: string;
    registration: PrintField | null;
    logo: PrintImage | null;
    seal: PrintImage | null;
  };
  subject: PrintField | null;
  greeting: string;
  /** The sum that matters, large. */
  headline: (PrintField & { note: string }) | null;
  /** Due date, account, place and terms of delivery. A value may have several lines. */
  terms: PrintField[];
  show_prices: boolean;
  columns: PrintColumns;
  lines: PrintLine[];
  /** What the sums at the end and at the beginning of a page are called on documents of several pages. */
  carried: { forward: string; brought: string };
  /** What the mark of lines means; null where no line has it. */
  legend: string | null;
  sums: PrintSums | null;
  memo: PrintField | null;
  /** What the page number is made of: `/`. */
  page_of: string;
};
