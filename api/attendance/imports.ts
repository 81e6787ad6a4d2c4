import { dayImport } from '../../shared/attendance/imports/domain.ts';
import { DayImportFields } from '../../shared/attendance/imports/options.ts';
import { DayImport, dayImportOf } from '../../shared/attendance/imports/record.ts';
import { requireManagement } from '../../shared/attendance/sight/people.ts';
import { importEndpoints } from '../imports/endpoints.ts';

export const imports = importEndpoints({
  area: 'attendance',
  resource: DayImport,
  show: dayImportOf,
  kinds: [
    {
      domain: dayImport,
      path: '/api/v1/attendance/records',
      upload_path: '/api/v1/attendance/imports',
      options: DayImportFields,
      guard: { check: requireManagement, raises: ['role_required'] },
      description:
        'For owners and admins. A row is a session: `employee_code`, `work_date`, `clock_in`, `clock_out` (after midnight ' +
        '`25:30`, to `47:59`) and `breaks` (`12:00-13:00;15:00-15:15`); Japanese headers of other programs are known, too. ' +
        'All rows of one employee and date, wherever they stand, replace the sessions of that day, with a revision. A row ' +
        'without times is of a day off: it is skipped and counted. A day of which one row has a fault stays as it is, and ' +
        'goes whole to the report of errors. Times are those of the `time_zone` of the settings.',
    },
  ],
});
