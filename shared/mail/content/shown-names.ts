import { namesIn, type ValueName } from './placeholders.ts';

const TAG = /<[^>]*>/g;
const HREF = /\shref="([^"]*)"/;
const PICTURE_WITH_WORDS = /^<img\b[^>]*\salt="[^"]*[^"\s]/;

/** Styles by which somebody does not see what stands there. Whether an element within has them is not looked at. */
const HIDING =
  /(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d]*[1-9])|(?:font-size|line-height|max-height|height|max-width|width)\s*:\s*0(?![.\d]*[1-9])|mso-hide)/i;

/**
 * The values that cleaned HTML shows to who reads the mail: those of its text, not of attributes. The address that unsubscribes is
 * shown where it is a whole link around words or a picture with words, or stands as text outside of other links. HTML that hides
 * something by a style is taken to show none: what the law wants is then said once more.
 */
export function namesShownBy(html: string): readonly ValueName[] {
  if (HIDING.test(html)) return [];
  const shown = new Set<ValueName>();
  let link: { is_unsubscribe: boolean } | null = null;
  let from = 0;
  const show = (text: string, is_seen = text.trim() !== '') => {
    if (link?.is_unsubscribe && is_seen) shown.add('unsubscribe_url');
    for (const name of namesIn([text])) {
      if (name !== 'unsubscribe_url' || link === null) shown.add(name);
    }
  };
  for (const { 0: tag, index } of html.matchAll(TAG)) {
    show(html.slice(from, index));
    if (/^<a\b/.test(tag)) link = { is_unsubscribe: isUnsubscribe(HREF.exec(tag)?.[1] ?? '') };
    else if (tag.startsWith('</a')) link = null;
    else if (PICTURE_WITH_WORDS.test(tag)) show('', true);
    from = index + tag.length;
  }
  show(html.slice(from));
  return [...shown];
}

function isUnsubscribe(href: string): boolean {
  return /^\{\{\s*unsubscribe_url\s*\}\}$/.test(href.trim());
}
