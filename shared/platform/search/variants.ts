/**
 * Kana of names that are written in several ways, the usual one first: small kana and the sign of a long vowel, since the kana of
 * banks have large letters and hyphens alone (全銀協 writes ｼﾖｳﾃﾝ for ショウテン).
 */
const KANA_GROUPS = [
  'あぁ',
  'いぃ',
  'うぅ',
  'えぇ',
  'おぉを',
  'かゕ',
  'けゖ',
  'つっ',
  'やゃ',
  'ゆゅ',
  'よょ',
  'わゎ',
  'ー-',
];

/** Kanji of surnames and places with the old or popular forms that registers and business cards show, the usual one first. */
const KANJI_GROUPS = [
  '高髙 辺邊邉 崎﨑嵜 斉斎齊齋 沢澤 浜濱濵 島嶋嶌 広廣 国國 桜櫻 滝瀧',
  '竜龍 恵惠 富冨 峰峯 真眞 吉𠮷 関關 栄榮 学學 鉄鐵 実實 寿壽 万萬',
  '芦蘆 桧檜 館舘 条條 徳德 礼禮 横橫 緑綠 曽曾 弥彌 亀龜 渓溪 塩鹽',
  '黒黑 郷鄕 瀬瀨 頼賴 豊豐 与與 児兒 円圓 宝寶 巌巖 柳栁 薮藪',
].flatMap((groups) => groups.split(' '));

const GROUPS = [...KANA_GROUPS, ...KANJI_GROUPS];

/** By each letter of a group, the usual one. */
const USUAL = new Map<string, string>(
  GROUPS.flatMap((group) => [...group].map((each) => [each, [...group][0]!])),
);

const OTHERS = new Map<string, readonly string[]>(GROUPS.map((group) => [[...group][0]!, [...group]]));

/** How else a letter is written: by the usual letter of a group all of it, that letter included; null for others. */
export function waysOf(letter: string): readonly string[] | null {
  return OTHERS.get(letter) ?? null;
}

/** Whether a term has letters that are written in several ways; only the usual ones are asked for. */
export function isVaried(term: string): boolean {
  return term.search(VARIED) >= 0;
}

/** Usual letters that are written otherwise too. */
export const VARIED = new RegExp(`[${[...OTHERS.keys()].join('')}]`, 'gu');

const UNUSUAL = new RegExp(
  `[${[...USUAL.keys()].filter((letter) => letter !== '-' && !OTHERS.has(letter)).join('')}]`,
  'gu',
);
const LONG_VOWELS = /(?<=[\p{sc=Hiragana}\p{sc=Katakana}ー])-+/gu;

/** A normalised line with the usual letter for each that is written in several ways; a hyphen after kana is a long vowel. */
export function usualLetters(line: string): string {
  const whole = line.includes('-') ? line.replace(LONG_VOWELS, (run) => 'ー'.repeat(run.length)) : line;
  return whole.replace(UNUSUAL, (letter) => USUAL.get(letter)!);
}

const UNUSUAL_LETTERS = [...USUAL].filter(([letter, usual]) => letter !== usual);

/** The letters that are usually written otherwise, and as many usual ones: what SQL's `translate` takes. A hyphen is a long vowel. */
export const unusualLetters = {
  others: UNUSUAL_LETTERS.map(([letter]) => letter).join(''),
  usual: UNUSUAL_LETTERS.map(([, usual]) => usual).join(''),
};
