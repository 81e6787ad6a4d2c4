/** What a file in Japanese says in columns that are true or false. */
export const truthWords = { true: 'はい', false: 'いいえ' };
