import { domains } from '../../../shared/domains.ts';
import type { Grant } from '../../../shared/kernel/scope.ts';
import type { Language } from '../kit/language.ts';

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
  const domain = domains.find(({ name }) => scope.startsWith(`${name}:`));
  if (!domain) return others[language][scope] ?? '';
  const named = domain.records[language];
  const isRead = scope.endsWith(':read');
  if (language === 'ja') return isRead ? `${named}を閲覧します。` : `${named}を作成・変更・削除します。`;
  return isRead ? `Read ${named}.` : `Create, change and delete ${named}.`;
}
