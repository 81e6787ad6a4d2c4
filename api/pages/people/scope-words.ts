import { type Domain, domains, type Grant } from '../../../shared/kernel/scope.ts';
import type { Language } from './visit.ts';

/** What the records of a domain are. */
const records: Record<Language, Record<Domain, string>> = {
  ja: {
    crm: '会社・担当者・案件・活動',
    mail: 'メールの宛先・リスト・配信停止',
    accounting: '仕訳と帳簿',
    attendance: '勤怠',
    scheduler: '予定と予約',
    invoicing: '見積書・請求書・納品書・発注書・入金',
    received: '受け取った請求書などの書類',
    cloud: 'ファイルとフォルダー',
    sign: '電子契約',
    forms: 'フォームと回答',
  },
  en: {
    crm: 'companies, contacts, deals and activities',
    mail: 'mail contacts, lists and suppressions',
    accounting: 'journals and books',
    attendance: 'attendance',
    scheduler: 'events and bookings',
    invoicing: 'quotations, invoices, delivery notes, purchase orders and payments',
    received: 'received invoices and other documents',
    cloud: 'files and folders',
    sign: 'documents to sign',
    forms: 'forms and their responses',
  },
};

const others: Record<Language, Partial<Record<Grant, string>>> = {
  ja: {
    'events:read':
      'イベントを取得します。対象の分野の閲覧の権限（crm:read など）もあわせて選択してください。',
    'audit:read':
      '変更履歴を閲覧します。分野ごとの変更履歴には、その分野の閲覧の権限（crm:read など）もあわせて選択してください。',
    'approvals:write': '書類を承認・却下します。',
    'settings:write': '各分野の設定を変更します。',
    '*': 'ご自身にできることをすべて行います。',
  },
  en: {
    'events:read': 'Follow events. Choose the :read scopes of their domains too, such as crm:read.',
    'audit:read': 'Read audit logs. For those of a domain choose its :read scope too, such as crm:read.',
    'approvals:write': 'Approve and reject documents.',
    'settings:write': 'Change the settings of a domain.',
    '*': 'Do everything that you may do yourself.',
  },
};

/** What a scope allows, as a sentence for people; empty where none is told. */
export function sentenceOfScope(scope: Grant, language: Language): string {
  const domain = domains.find((each) => scope.startsWith(`${each}:`));
  if (!domain) return others[language][scope] ?? '';
  const named = records[language][domain];
  const isRead = scope.endsWith(':read');
  if (language === 'ja') return isRead ? `${named}を閲覧します。` : `${named}を作成・変更・削除します。`;
  return isRead ? `Read ${named}.` : `Create, change and delete ${named}.`;
}
