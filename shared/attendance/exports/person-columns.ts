import type { Language } from '../../kernel/language.ts';
import type { ReportColumn, ReportColumnKind } from '../../platform/reports/report.ts';
import type { PersonOfExport } from './people.ts';

/** A column of a file: its name, which is the header in English, and the header that offices know. */
export type TextColumn = { name: string; ja: string; kind: ReportColumnKind };

const personColumns: readonly TextColumn[] = [
  { name: 'employee_code', ja: '社員番号', kind: 'text' },
  { name: 'name', ja: '氏名', kind: 'text' },
  { name: 'department', ja: '部署', kind: 'text' },
  { name: 'position', ja: '役職', kind: 'text' },
];

/** What each line begins with. */
export function personCells({ employee_code, name, department, position }: PersonOfExport) {
  return [employee_code, name, department, position];
}

/** Columns behind those of the person, headed in a language. */
export function reportColumns(columns: readonly TextColumn[], language: Language): ReportColumn[] {
  return [...personColumns, ...columns].map(({ name, ja, kind }) => {
    return { name: language === 'en' ? name : ja, kind, title: { ja, en: name }, width: 0 };
  });
}
