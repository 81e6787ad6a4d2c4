import { domains } from '../../../shared/domains.ts';
import type { Text } from '../../../shared/kernel/language.ts';
import type { Grant } from '../../../shared/kernel/scope.ts';
import type { Language } from '../kit/language.ts';

/** How people call a scope, and what it allows, as a sentence. */
type Told = { label: Text; sentence: Text };

const others: Partial<Record<Grant, Told>> = {
  'events:read': {
    label: { ja: 'イベント', en: 'Events' },
    sentence: {
      ja: 'イベントを取得します。対象の分野の閲覧の権限もあわせて選択してください。',
      en: 'Follow events. Choose reading of their domains too.',
    },
  },
  'audit:read': {
    label: { ja: '変更履歴', en: 'Audit logs' },
    sentence: {
      ja: '変更履歴を閲覧します。分野ごとの変更履歴には、その分野の閲覧の権限もあわせて選択してください。',
      en: 'Read audit logs. For those of a domain choose reading of it too.',
    },
  },
  'approvals:write': {
    label: { ja: '承認', en: 'Approvals' },
    sentence: { ja: '書類を承認・却下します。', en: 'Approve and reject documents.' },
  },
  'settings:write': {
    label: { ja: '設定', en: 'Settings' },
    sentence: { ja: '各分野の設定を変更します。', en: 'Change the settings of a domain.' },
  },
  '*': {
    label: { ja: 'すべて', en: 'Everything' },
    sentence: { ja: 'ご自身にできることをすべて行います。', en: 'Do everything that you may do yourself.' },
  },
};

const read: Text = { ja: '閲覧', en: 'Read' };
const change: Text = { ja: '作成・変更・削除', en: 'Create, change and delete' };

/** What scopes that belong to no domain stand under. */
const allDomains: Text = { ja: '全体', en: 'All together' };

function domainOf(scope: Grant) {
  return domains.find(({ name }) => scope.startsWith(`${name}:`));
}

/** What a scope is about: the records of its domain, or all together. */
export function groupOfScope(scope: Grant, language: Language): string {
  return (domainOf(scope)?.records ?? allDomains)[language];
}

/** How a scope is called below its group. */
export function labelOfScope(scope: Grant, language: Language): string {
  if (!domainOf(scope)) return others[scope]?.label[language] ?? scope;
  return (scope.endsWith(':read') ? read : change)[language];
}

/** A scope by itself, with its group. */
export function nameOfScope(scope: Grant, language: Language): string {
  const label = labelOfScope(scope, language);
  if (!domainOf(scope)) return label;
  const group = groupOfScope(scope, language);
  return language === 'ja' ? `${group}：${label}` : `${group}: ${label.toLowerCase()}`;
}

/** What a scope allows, as a sentence for people; empty where none is told. */
export function sentenceOfScope(scope: Grant, language: Language): string {
  const domain = domainOf(scope);
  if (!domain) return others[scope]?.sentence[language] ?? '';
  const named = domain.records[language];
  const isRead = scope.endsWith(':read');
  if (language === 'ja') return isRead ? `${named}を閲覧します。` : `${named}を作成・変更・削除します。`;
  return isRead ? `Read ${named}.` : `Create, change and delete ${named}.`;
}
