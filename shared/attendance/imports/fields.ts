import { byField } from '../../platform/imports/reading/cell.ts';
import type { ImportField } from '../../platform/imports/reading/field.ts';
import { employeeCode } from '../members/record.ts';
import { parseBreaks, parseDay, parseTime } from './cells.ts';

/** What the columns of a file of days can be mapped to: a row a session. */
export const dayFields: readonly ImportField[] = [
  {
    name: 'employee_code',
    label: { ja: '社員番号', en: 'Employee code' },
    aliases: [
      '従業員コード',
      '従業員番号',
      '従業員ID',
      '社員コード',
      '社員ID',
      '社員No',
      '職員番号',
      '個人コード',
      'employee number',
      'employee id',
    ],
    required: true,
    parse: byField(employeeCode()),
  },
  {
    name: 'work_date',
    label: { ja: '勤務日', en: 'Work date' },
    aliases: ['日付', '勤務日付', '年月日', '対象日', '出勤日', 'date'],
    required: true,
    parse: parseDay,
  },
  {
    name: 'clock_in',
    label: { ja: '出勤', en: 'Clock in' },
    aliases: [
      '出勤時刻',
      '出勤時間',
      '出社',
      '出社時刻',
      '始業',
      '始業時刻',
      '勤務開始',
      '開始時刻',
      'start',
    ],
    required: 'column',
    parse: parseTime,
  },
  {
    name: 'clock_out',
    label: { ja: '退勤', en: 'Clock out' },
    aliases: ['退勤時刻', '退勤時間', '退社', '退社時刻', '終業', '終業時刻', '勤務終了', '終了時刻', 'end'],
    required: 'column',
    parse: parseTime,
  },
  {
    name: 'breaks',
    label: { ja: '休憩', en: 'Breaks' },
    aliases: ['休憩時刻', '休憩時間', '休憩時間帯', 'break'],
    parse: parseBreaks,
  },
];
