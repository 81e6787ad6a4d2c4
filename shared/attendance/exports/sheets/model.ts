import type { Language } from '../../../kernel/language.ts';
import type { DayType } from '../../days/types.ts';

export type Figure = { label: string; value: string };

/** All that the page of a member and month shows, as texts: whoever lays it out computes and translates nothing. */
export type Sheet = {
  language: Language;
  title: string;
  month: string;
  organization: string;
  facts: readonly Figure[];
  /** Names of the boxes for seals. */
  seals: readonly string[];
  /** A head for each cell of a day, the remark aside; in lines. */
  heads: readonly string[];
  remark_head: string;
  days: readonly SheetDay[];
  sum_label: string;
  /** Below the days, in the columns that are summed up; empty in the others. */
  sums: readonly string[];
  groups: readonly { title: string; figures: readonly Figure[] }[];
  limits: SheetLimits;
  legend: string;
};

export type SheetDay = {
  day_type: DayType;
  cells: readonly string[];
  remark: string;
  /** Whether somebody should look at it. */
  is_marked: boolean;
};

/** How the month stands against article 36; no figures for whom it has no limits. */
export type SheetLimits = {
  title: string;
  figures: readonly Figure[];
  heads: readonly string[];
  tests: readonly (readonly string[])[];
};
