import { normalForm } from '../../kernel/normal-form.ts';

/** Small kana, and the large ones that transfer files have for them. */
const SMALL = 'ァィゥェォッャュョヮヵヶ';
const LARGE = 'アイウエオツヤユヨワカケ';

/** Full-width kana, sound marks and corner brackets, and what stands for each in half width. */
const FULL =
  '「」ヲアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u3099\u309a';
const HALF = '｢｣ｦｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝﾞﾟ';

const letters: ReadonlyMap<string, string> = new Map([
  ...pairs(SMALL, LARGE),
  ...pairs(FULL, HALF),
  ...pairs('ーｰ‐‑–—−', '-------'),
  ['¥', '\\'],
]);

/** What a bank's transfer file has for names: digits, capitals, half-width kana, space and some signs. */
const ALLOWED = /^[0-9A-Zｦ-ﾟ ()\-./,\\｢｣]*$/;

/**
 * A name as a transfer file of banks writes it: kana in half width with their sound marks behind them, small ones large, a
 * long sound as `-`; `ヤマダショウジ（カ` becomes `ﾔﾏﾀﾞｼﾖｳｼﾞ(ｶ`. null where it has a letter that such files do not have.
 */
export function transferName(name: string): string | null {
  const composed = normalForm(name.replaceAll('゛', '\u3099').replaceAll('゜', '\u309a'), 'NFKC');
  const plain = normalForm([...composed].map(asKatakana).join(''), 'NFD');
  const large = [...plain].map((letter) => letters.get(letter) ?? letter);
  const half = large.map((letter) => letters.get(letter) ?? letter).join('');
  const written = half.trim();
  return ALLOWED.test(written) ? written : null;
}

/** Hiragana stand where katakana of the same sounds do, so many places further on. */
function asKatakana(letter: string): string {
  return /[ぁ-ゖ]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 0x60) : letter;
}

function pairs(from: string, to: string): [string, string][] {
  const [sources, targets] = [[...from], [...to]];
  return sources.map((source, place) => [source, targets[place]!]);
}
