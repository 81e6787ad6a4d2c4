import type {
  ReportColumn,
  ReportHead,
  ReportLanguage,
  ReportRow,
} from '../../../shared/platform/reports/report.ts';

/** All that the pages of a report show. `cells` of the rows stand in the order of `columns`. */
export type Sheet = {
  language: ReportLanguage;
  title: string;
  head: ReportHead;
  /** The minute at which the rows were read, in the organization's time zone. */
  made_at: string;
  columns: readonly ReportColumn[];
  rows: readonly ReportRow[];
};

/** What a sheet says beside its rows. */
export const words = {
  ja: { made_at: '作成日時', forward: '次頁繰越', brought: '前頁繰越', page_of: ' / ', none: '該当なし' },
  en: {
    made_at: 'Made at',
    forward: 'Carried forward',
    brought: 'Brought forward',
    page_of: ' of ',
    none: 'Nothing to show',
  },
} as const satisfies Record<ReportLanguage, Record<string, string>>;

/** Millimetres that a sheet is wide; one whose columns need more than the upright page is printed across. */
const UPRIGHT = 174;
const ACROSS = 261;

/** How the paper of a sheet lies, and what it has room for, in millimetres. */
export function paperOfSheet({ columns }: Pick<Sheet, 'columns'>) {
  const needed = columns.reduce((sum, { width }) => sum + width, 0);
  const is_across = needed > UPRIGHT;
  const width = is_across ? ACROSS : UPRIGHT;
  return { is_across, width, height: is_across ? 210 : 297, scale: width / needed };
}
