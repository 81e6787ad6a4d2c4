import type { BankAccount } from '../../invoicing/settings/bank-account.ts';

/** An account as a transfer file names it: codes and number in digits, the holder in its letters. */
export type TransferAccount = Pick<BankAccount, 'type'> & {
  bank_code: string;
  branch_code: string;
  number: string;
  holder: string;
};

/** One transfer, in yen of ten digits at most. */
export type Transfer = { to: TransferAccount; amount: bigint };

/** Who pays, from where, and on which day (YYYY-MM-DD). `client_code` has ten digits. */
export type TransferOrder = { client_code: string; date: string; from: TransferAccount };

/** The widths of names: of who pays, and of who is paid. */
export const HOLDER_WIDTH = { from: 40, to: 30 } as const;

/** The largest amounts that the fields hold: of a transfer, and of all of them. */
export const MOST_OF_ONE = 9_999_999_999n;
export const MOST_OF_ALL = 999_999_999_999n;

const TYPE_TO = { ordinary: '1', checking: '2', savings: '4' } as const;
const TYPE_FROM = { ordinary: '1', checking: '2', savings: '9' } as const;

/**
 * The text of a file for 総合振込 (the banks' common format): records of 120 bytes, each with CR LF behind it. Its letters are
 * those of `transferName`, which have one byte each in CP932.
 */
export function transferText(order: TransferOrder, transfers: readonly Transfer[]): string {
  const sum = transfers.reduce((all, { amount }) => all + amount, 0n);
  const records = [
    header(order),
    ...transfers.map(data),
    `8${digits(transfers.length, 6)}${digits(sum, 12)}${blank(101)}`,
    `9${blank(119)}`,
  ];
  return records.map((record) => `${record}\r\n`).join('');
}

/** The bytes of a file: half-width kana have the codes of JIS X 0201, as CP932 has them. */
export function transferBytes(text: string): Buffer {
  return Buffer.from(Uint8Array.from(text, (letter) => byteOf(letter.charCodeAt(0))));
}

function byteOf(code: number): number {
  return code < 0x80 ? code : code - 0xff61 + 0xa1;
}

function header({ client_code, date, from }: TransferOrder): string {
  const [, month, day] = date.split('-');
  return [
    '1210',
    digits(client_code, 10),
    letters(from.holder, HOLDER_WIDTH.from),
    `${month}${day}`,
    from.bank_code,
    blank(15),
    from.branch_code,
    blank(15),
    TYPE_FROM[from.type],
    digits(from.number, 7),
    blank(17),
  ].join('');
}

function data({ to, amount }: Transfer): string {
  return [
    '2',
    to.bank_code,
    blank(15),
    to.branch_code,
    blank(15),
    '0000',
    TYPE_TO[to.type],
    digits(to.number, 7),
    letters(to.holder, HOLDER_WIDTH.to),
    digits(amount, 10),
    '0',
    blank(20),
    '7',
    blank(8),
  ].join('');
}

const digits = (value: string | number | bigint, width: number) => `${value}`.padStart(width, '0');
const letters = (value: string, width: number) => value.padEnd(width, ' ');
const blank = (width: number) => ' '.repeat(width);
