/*
 * A font draws some letters by the same glyph, for example 日 and the radical ⽇. Chromium writes one letter for each
 * glyph into a PDF, the first one of the font, so that the text would be copied and searched as radicals. Here the
 * common one of such letters is found; fonts.ts takes the others out of the font, and pages are written without them.
 */

/** Rare letters of punctuation and the Radicals Supplement, each followed by the common one that looks the same. */
const PAIRS = [
  '\u2012\u2013 \u02bb\u2018 \u2027\u30fb \u2215\uff0f \u2329\u3008 \u232a\u3009',
  '⺂乛 ⺃乚 ⺅亻 ⺇𠘨 ⺉刂 ⺋㔾 ⺍𭕄 ⺎兀 ⺏尣 ⺐尢 ⺒巳 ⺓幺 ⺔彑 ⺖忄 ⺘扌 ⺙攵 ⺛旡 ⺞歺 ⺟母 ⺠民 ⺡氵 ⺣灬 ⺦丬 ⺨犭 ⺩𤣩 ⺫罒',
  '⺲罒 ⺭礻 ⺮𥫗 ⺯糹 ⺰纟 ⺱罓 ⺹耂 ⺺肀 ⺽𦥑 ⺾艹 ⻂衤 ⻃覀 ⻄西 ⻅见 ⻇𧢲 ⻈讠 ⻉贝 ⻊𧾷 ⻋车 ⻍辶 ⻐钅 ⻑長 ⻒镸 ⻓长 ⻕𨸏 ⻖阝',
  '⻘青 ⻙韦 ⻚页 ⻛风 ⻜飞 ⻞𩙿 ⻟飠 ⻠饣 ⻡𩠐 ⻢马 ⻥鱼 ⻦鸟 ⻧卤 ⻨麦 ⻩黄 ⻪黾 ⻫斉 ⻬齐 ⻭歯 ⻮齿 ⻯竜 ⻰龙 ⻲亀 ⻳龟',
];

const common = new Map(
  PAIRS.flatMap((line) => line.split(' ')).map((pair): [string, string] => {
    const [rare, usual] = pair;
    return [rare!, usual!];
  }),
);

/** The common letter that looks like this one: itself but for a radical or rare punctuation. */
export function commonLetter(letter: string): string {
  const isKangxi = letter >= '\u2f00' && letter <= '\u2fdf';
  return isKangxi ? letter.normalize('NFKC') : (common.get(letter) ?? letter);
}

/** A text in common letters; it looks the same. */
export function inCommonLetters(text: string): string {
  return text.replace(/[\u02bb\u2012\u2027\u2215\u2329\u232a\u2e80-\u2fdf]/g, commonLetter);
}
