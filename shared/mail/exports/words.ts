import { truthWords } from '../../platform/exports/truth-words.ts';

/* What stands in the cells of a file in Japanese in place of the API's words. What somebody wrote by hand stays as it is. */

const contactStatusWords = { active: '配信可', unsubscribed: '配信停止', bounced: '不達' };

/** Why an address gets no mail. */
const refusalWords = {
  one_click: 'ワンクリックで停止',
  page: '配信停止ページで停止',
  mail: 'メールで停止',
  complaint: '迷惑メール報告',
  hard_bounce: '恒久的な不達',
  soft_bounce: '一時的な不達の繰り返し',
  admin: '管理者による停止',
};

/** By the columns of mail contacts. */
export const mailContactWords = {
  status: contactStatusWords,
  status_reason: refusalWords,
  consent_basis: {
    consent: '本人の同意',
    address_notified: 'アドレスの通知',
    relationship: '取引関係',
    published: 'アドレスの公表',
  },
  consent_tracking: truthWords,
};

/** By the columns of suppressions. */
export const suppressionWords = { reason: { ...contactStatusWords, ...refusalWords } };

/** By the columns of recipients. */
export const recipientWords = {
  status: {
    queued: '送信待ち',
    sending: '送信中',
    sent: '送信済み',
    failed: '失敗',
    skipped: '対象外',
    unknown: '結果不明',
  },
  reason: {
    unsubscribed: '配信停止',
    bounced: '不達',
    suppressed: '配信停止アドレス',
    no_consent: '同意なし',
    missing_value: '差し込み項目が空',
    invalid_address: 'アドレスの誤り',
    repeated_address: '同じアドレスへ送信済み',
    cancelled: '配信の中止',
    erased: '連絡先の消去',
    refused: 'サーバーの拒否',
    unreachable: 'サーバーに接続できない',
    attempts_used_up: '再送の上限',
    worker_died: '送信処理の中断',
    no_answer: 'サーバーの応答なし',
    accepted_by_hand: '手動で送信済みに確定',
  },
  bounce_class: { hard: '恒久的', soft: '一時的' },
  tracked: truthWords,
};
