import type { Text } from '../../../kernel/language.ts';

/** What a cell says to a field: a value to store, or the code of what is wrong with it; `detail` says what is expected. */
export type Parsed = { value: unknown } | { fault: string; detail?: Text };

/** What `normalize` makes of the cells of a field. */
export type NormalForm = (cell: string) => string;

/** One field that a column of a file can be mapped to. */
export type ImportField = {
  /** As the API names it. */
  name: string;
  label: { ja: string; en: string };
  /**
   * Headers that mean this field; compared without regard to case, width, spaces and `_ - . ・`. Of several columns that
   * name the field its own name and labels win, then the alias that stands first.
   */
  aliases: readonly string[];
  /** A mapping without this field is refused, and a blank cell a fault; `column`: its cells may be blank. */
  required?: true | 'column';
  /** Fields that together stand for a required one: a mapping that has all of them needs it not. */
  instead?: readonly string[];
  /** What `normalize` makes of a cell before it is parsed; done again it changes nothing. */
  normalize?: NormalForm;
  /** Fields each of which alone stands for a required one. */
  or?: readonly string[];
  /** Gets no blank cells: these say nothing. */
  parse(cell: string): Parsed;
  /**
   * Whether the cells of a column may be this field's: those sampled cells that are not blank. A header proposes such a
   * field only where there are some and they fit: the header is a word that other files use for something else.
   */
  fits?(cells: readonly string[]): boolean;
  /**
   * Headers that mean this field only where `is` holds for half of the sampled cells: words that other programs use for
   * different things, such as 担当者. Where it does not hold the header is looked for in the other fields.
   */
  maybe?: { aliases: readonly string[]; is(cell: string): boolean };
  /** A cell may be as long as its record; others are bounded by `LIMITS.cell_bytes`. */
  is_long?: true;
  /** Whether the cell can hardly be anything else, so that a column is known by what it holds. */
  recognises?(cell: string): boolean;
};

/** By their names, what fields are called in Japanese. */
export function labelsOf(fields: readonly ImportField[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, label }) => [name, label.ja]));
}

/** A cell that `normalize` reads otherwise than it is written. */
export type Normalized = { row: number; column: string; before: string; after: string };

/** The cell as a field reads it with `normalize`. */
export function normalizedCell({ normalize }: Pick<ImportField, 'normalize'>, cell: string): string {
  const trimmed = cell.trim();
  return normalize && trimmed !== '' ? normalize(trimmed) : trimmed;
}
