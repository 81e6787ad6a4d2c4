import type { SignerAuth } from '../documents/words.ts';
import type { TrailType } from '../trail/record.ts';

/** What a certificate says beside the facts of its document. */
export type CertificateWords = {
  title: string;
  page_of: string;
  verify: string;
  document: string;
  labels: Record<
    | 'id'
    | 'sender'
    | 'organization'
    | 'file'
    | 'sent'
    | 'completed'
    | 'upload_sha256'
    | 'sealed_sha256'
    | 'head'
    | 'identified'
    | 'opened'
    | 'signed'
    | 'agreed'
    | 'ip_address',
    string
  >;
  pages: (count: number) => string;
  signers: string;
  roles: Record<'signer' | 'approver' | 'cc', string>;
  auths: Record<SignerAuth, string>;
  history: string;
  columns: Record<'seq' | 'utc' | 'event' | 'actor' | 'ip_address', string>;
  events: Record<TrailType, string>;
  /** A PDF that the page has shown. */
  shown: string;
  system: string;
  about: string;
  statements: {
    made_by: string;
    two_factors: string;
    no_level: string;
    left_out: (count: number) => string;
    attached: (name: string) => string;
  };
};

const ja: CertificateWords = {
  title: '締結証明書',
  page_of: ' / ',
  verify: '検証ページ',
  document: '書類',
  labels: {
    id: '書類ID',
    sender: '送信者',
    organization: '組織',
    file: 'ファイル',
    sent: '送信',
    completed: '締結',
    upload_sha256: '送信されたファイルのSHA-256',
    sealed_sha256: '署名済みファイルのSHA-256',
    head: '履歴の最後のハッシュ（締結時）',
    identified: '本人確認',
    opened: '閲覧',
    signed: '署名',
    agreed: '同意',
    ip_address: 'IPアドレス',
  },
  pages: (count) => `${count}ページ`,
  signers: '署名者',
  roles: { signer: '署名者', approver: '承認者', cc: '写しの受取人' },
  auths: {
    none: 'メールで届いたリンク',
    access_code: 'メールで届いたリンクと、別に伝えられたアクセスコード',
    email_otp: 'メールで届いたリンクと、メールで届いた確認コード',
    access_code_and_otp:
      'メールで届いたリンクと確認コード、および別に伝えられたアクセスコード（二要素による確認）',
  },
  history: '履歴',
  columns: { seq: '番号', utc: 'UTC', event: '内容', actor: '行為者', ip_address: 'IPアドレス' },
  events: {
    sent: '書類を送信',
    invited: '署名を依頼',
    delivery_failed: 'メールが不達',
    otp_sent: '確認コードを送信',
    access_failed: 'コードの誤り',
    access_locked: '誤りが続いたためロック',
    unlocked: 'ロックを解除',
    opened: '書類を閲覧',
    signed: '署名',
    declined: '辞退',
    reminded: '催促',
    replaced: '署名者を変更',
    forwarded: '転送',
    expiry_changed: '期限を変更',
    expiry_warned: '期限を予告',
    cancelled: '取り消し',
    expired: '期限切れ',
    completed: '全員の署名が完了',
    seal_failed: '改ざん防止の電子署名に失敗',
    downloaded: 'ダウンロード',
    sealed: '改ざん防止の電子署名を付与',
    renewed: 'タイムスタンプを更新',
  },
  shown: 'PDFを表示',
  system: 'システム',
  about: 'この証明書について',
  statements: {
    made_by:
      '電子署名法第2条第1項の措置として、署名者の入力、ハッシュで連鎖した履歴、およびファイル全体への電子署名により、だれの行為かと、その後の改変の有無を確認できます。この電子署名の鍵はサービスのもので、署名者個人の鍵ではありません。',
    two_factors:
      '「二要素による確認」とある署名者は、異なる経路の二つのコードを入力しており、署名がその人のものであること（固有性）を示す手がかりとなります。',
    no_level:
      'この証明書は用いられた方法と記録を示すもので、電子署名の水準や法律上の効果を表明するものではありません。',
    left_out: (count) =>
      `繰り返された閲覧・ダウンロードなどの記録 ${count}件は、この履歴では省略しています。`,
    attached: (name) => `履歴の全文は添付ファイル ${name} にあり、各ハッシュは外部でも再計算できます。`,
  },
};

const en: CertificateWords = {
  title: 'Certificate of completion',
  page_of: ' of ',
  verify: 'Verify this document',
  document: 'Document',
  labels: {
    id: 'Document ID',
    sender: 'Sender',
    organization: 'Organization',
    file: 'File',
    sent: 'Sent',
    completed: 'Completed',
    upload_sha256: 'SHA-256 of the file that was sent',
    sealed_sha256: 'SHA-256 of the signed file',
    head: 'Last hash of the history, at completion',
    identified: 'Identified by',
    opened: 'Opened',
    signed: 'Signed',
    agreed: 'Agreed',
    ip_address: 'IP address',
  },
  pages: (count) => (count === 1 ? '1 page' : `${count} pages`),
  signers: 'Signers',
  roles: { signer: 'Signer', approver: 'Approver', cc: 'Receives a copy' },
  auths: {
    none: 'The link sent by e-mail',
    access_code: 'The link sent by e-mail, and an access code told separately',
    email_otp: 'The link sent by e-mail, and a code sent by e-mail',
    access_code_and_otp:
      'The link and a code sent by e-mail, and an access code told separately (two factors)',
  },
  history: 'History',
  columns: { seq: 'No.', utc: 'UTC', event: 'Event', actor: 'By', ip_address: 'IP address' },
  events: {
    sent: 'Document sent',
    invited: 'Asked to sign',
    delivery_failed: 'Mail not delivered',
    otp_sent: 'Code sent',
    access_failed: 'Wrong code',
    access_locked: 'Locked after wrong codes',
    unlocked: 'Unlocked',
    opened: 'Document opened',
    signed: 'Signed',
    declined: 'Declined',
    reminded: 'Reminded',
    replaced: 'Signer replaced',
    forwarded: 'Forwarded',
    expiry_changed: 'Expiry changed',
    expiry_warned: 'Warned of the expiry',
    cancelled: 'Cancelled',
    expired: 'Expired',
    completed: 'All have signed',
    seal_failed: 'Sealing failed',
    downloaded: 'Downloaded',
    sealed: 'Sealed',
    renewed: 'Time stamp renewed',
  },
  shown: 'PDF viewed',
  system: 'System',
  about: 'About this certificate',
  statements: {
    made_by:
      "As the measure of art. 2 (1) of Japan's Act on Electronic Signatures and Certification Business, the signers' entries, the history chained by hashes and the electronic signature over the whole file (the seal) show who acted and whether anything was changed since. The key of the seal is the service's, not a signer's own.",
    two_factors:
      'Signers identified by “two factors” entered two codes that reached them by different ways, which ties the act to the person.',
    no_level:
      'This certificate says what was used and recorded. It claims no level of signature and no legal effect.',
    left_out: (count) =>
      `${count} repeated entries, such as openings and downloads, are left out of this history.`,
    attached: (name) =>
      `The full history is attached as ${name}; each of its hashes can be recomputed by anybody.`,
  },
};

/** The words of certificates, by the document's locale. */
export const certificateWords = { ja, en } as const;
