/**
 * What other programs call the columns of their exports: accounting (freee, 弥生, マネーフォワード, ツカエル), invoices
 * (Misoca, board, 楽楽明細), CRM (Salesforce, HubSpot, Sansan, サイボウズ, Musubu). One table for each kind of record is
 * beside its fields. Of several columns of a file that mean one field, the word that stands first wins; the others are told
 * as ignored. Headers are compared without regard to case, width, spaces, brackets and remarks such as （必須）.
 */
export const commonHeaders = {
  owner_email: ['営業担当メールアドレス', '営業担当メール', '担当者のメールアドレス', 'owner email'],
  owner_name: [
    '営業担当',
    '自社担当者',
    '自社担当',
    '社内担当者',
    '所有者',
    'owner name',
    'contact owner',
    'company owner',
    'deal owner',
    'account owner',
    'opportunity owner',
    'コンタクトの担当者',
    '会社の担当者',
    '取引の担当者',
    '取引先所有者',
    '取引先責任者所有者',
    '商談所有者',
    '名刺所有者',
  ],
  tags: ['tag', 'ラベル', 'labels', 'タグ名', 'グループ'],
} as const;

/**
 * Words for people that mean our own members in one program and the customer's in the next: they are members where the
 * cells say so.
 */
export const wordsForPeople = {
  owner_name: ['担当', '担当者', '担当者名', '担当者氏名', 'ご担当者', 'ご担当者名'],
  owner_email: ['担当者メール', '担当者メールアドレス'],
} as const;
