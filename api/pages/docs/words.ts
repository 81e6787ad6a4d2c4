import type { Text } from '../../../shared/kernel/language.ts';

/** Words that the pages of the documentation share. */
export const words = {
  documentation: { en: 'Documentation', ja: 'ドキュメント' },
  guides: { en: 'Guides', ja: 'ガイド' },
  reference: { en: 'Reference', ja: 'リファレンス' },
  menu: { en: 'Contents', ja: '目次' },
  all_endpoints: { en: 'All endpoints', ja: '全エンドポイント' },
  all_errors: { en: 'All error codes', ja: 'エラーコード一覧' },
  openapi: { en: 'OpenAPI 3.1 (JSON)', ja: 'OpenAPI 3.1（JSON）' },
  changelog: { en: 'Changelog (JSON)', ja: '変更履歴（JSON）' },
  copy: { en: 'Copy', ja: 'コピー' },
  copied: { en: 'Copied', ja: 'コピーしました' },
} satisfies Record<string, Text>;
