const UNSAFE = /[^\x20-\x7e]|["\\%]/;
const UNSAFE_RUN = /(?:[^\x20-\x7e]|["\\%])+/g;

/** The words by which our own files are called, for readers of ASCII alone: what stands behind them is ASCII already. */
const ENGLISH: ReadonlyMap<string, string> = new Map([
  ['会社', 'companies'],
  ['連絡先', 'contacts'],
  ['案件', 'deals'],
  ['活動', 'activities'],
  ['メール連絡先', 'mail_contacts'],
  ['配信停止', 'suppressions'],
  ['変更履歴', 'audit_logs'],
  ['取込エラー', 'import_errors'],
  ['見積書', 'quotation'],
  ['見積書明細', 'quotation_lines'],
  ['請求書', 'invoice'],
  ['請求書明細', 'invoice_lines'],
  ['納品書', 'delivery_note'],
  ['納品書明細', 'delivery_note_lines'],
  ['発注書', 'purchase_order'],
  ['発注書明細', 'purchase_order_lines'],
  ['返還請求書', 'credit_note'],
  ['返還請求書明細', 'credit_note_lines'],
  ['適格返還請求書', 'credit_note'],
  ['下書き', 'draft'],
]);

/**
 * Content-Disposition for a file to be saved under that name (RFC 6266): in ASCII for the oldest readers, and as it is
 * written (RFC 8187) for all others.
 */
export function attachment(file_name: string): string {
  const isPlain = !UNSAFE.test(file_name);
  const plain = isPlain ? file_name : inAscii(file_name);
  const exact = encodeURIComponent(file_name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const extended = isPlain ? '' : `; filename*=UTF-8''${exact}`;
  return `attachment; filename="${plain}"${extended}`;
}

/** What is left of a name without its other letters, our own words in English; a name of nothing else is `file`. */
function inAscii(file_name: string): string {
  return file_name
    .replace(UNSAFE_RUN, (letters) => ENGLISH.get(letters) ?? '_')
    .replace(/^_+(?=\.)/, 'file')
    .replace(/^_+/, 'file_')
    .replace(/(?<!_)_+(?=\.[^.]*$)/, '');
}
