/** A colour of three channels, 0 to 255. */
type Channels = readonly [number, number, number];

/** What a text needs to be read on its ground (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;

const BLACK: Channels = [0, 0, 0];
const WHITE: Channels = [255, 255, 255];

/** The grounds of pages in their two schemes: `--panel` of the stylesheet. */
export const GROUNDS = { light: '#ffffff', dark: '#161d27' } as const;

/**
 * The colours of a page that an organization chose a colour for: `fill` of buttons is that colour, `on` stands on it, and
 * `light` and `dark` are the nearest tones that can be read as text on the ground of that scheme. All are `#rrggbb`.
 */
export type Accent = { fill: string; on: string; light: string; dark: string };

/** The accent of any colour `#rrggbb`. Of black and white one always has a contrast of 4.58 and more to a colour. */
export function accentOf(color: string): Accent {
  const channels = channelsOf(color);
  const on = contrast(channels, WHITE) >= contrast(channels, BLACK) ? WHITE : BLACK;
  return {
    fill: hexOf(channels),
    on: hexOf(on),
    light: readable(channels, channelsOf(GROUNDS.light), BLACK),
    dark: readable(channels, channelsOf(GROUNDS.dark), WHITE),
  };
}

/** The contrast of two colours `#rrggbb`, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  return contrast(channelsOf(one), channelsOf(other));
}

/** The first tone on the way from a colour to black or white that can be read on a ground. */
function readable(color: Channels, ground: Channels, towards: Channels): string {
  for (let step = 0; step < 50; step++) {
    const tone = mixed(color, towards, step / 50);
    if (contrast(tone, ground) >= READABLE) return hexOf(tone);
  }
  return hexOf(towards);
}

function mixed(one: Channels, other: Channels, part: number): Channels {
  return one.map((channel, index) => Math.round(channel + (other[index]! - channel) * part)) as never;
}

function contrast(one: Channels, other: Channels): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(channels: Channels): number {
  const [red, green, blue] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): Channels {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hexOf([red, green, blue]: Channels): string {
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`;
}
