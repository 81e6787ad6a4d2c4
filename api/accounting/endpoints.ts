import { accounts } from './accounts.ts';
import { books } from './books.ts';
import { documents } from './documents.ts';
import { fiscalYears, periodLocks } from './fiscal-years.ts';
import { imports } from './imports.ts';
import { journals } from './journals.ts';
import { reports } from './reports.ts';
import { accountingSettings, taxCategoryList } from './settings.ts';
import { verify } from './verify.ts';

export const accounting = [
  ...accounts,
  ...journals,
  ...imports,
  ...fiscalYears,
  ...periodLocks,
  ...taxCategoryList,
  ...documents,
  ...reports,
  ...books,
  ...verify,
  ...accountingSettings,
];
