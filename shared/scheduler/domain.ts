import { domain } from '../platform/domain.ts';
import { expireDueBookings } from './bookings/expiry.ts';
import { writeEntryJob } from './calendars/entries/jobs.ts';
import { calendarMeasures } from './calendars/measures.ts';
import { calendarOrphans } from './calendars/orphans.ts';
import { reconnectMail } from './calendars/reconnect-mail.ts';
import { calendarSweeps } from './calendars/sweeps.ts';
import { disconnectJob, syncCalendarsJob, watchCalendarsJob } from './calendars/sync/jobs.ts';
import { schedulerPeople } from './members/following.ts';
import { schedulerWords } from './words.ts';

export const scheduler = domain({
  name: 'scheduler',
  title: 'Scheduler',
  description: 'Times that guests book, and the calendars of those who host them.',
  resources: {
    event_types: { title: 'Event types', description: 'What guests can book, and who hosts it.' },
    availability: { title: 'Availability', description: 'When members can be booked.' },
    slots: { title: 'Slots', description: 'The starts that guests are offered, and why others are not.' },
    calendars: {
      title: 'Calendars elsewhere',
      description:
        'Calendars of members at other services: what is busy there, and where bookings are written.',
    },
    settings: {
      title: 'Settings of the scheduler',
      description: 'Zone, week, pages, reminders and calendars.',
    },
  },
  people: schedulerPeople,
  sweeps: [
    {
      name: 'pending_bookings',
      description: 'Expires bookings that nobody confirmed in time',
      every: 15_000,
      run: expireDueBookings,
    },
    ...calendarSweeps,
  ],
  jobs: [syncCalendarsJob, watchCalendarsJob, disconnectJob, writeEntryJob],
  orphans: { rows: calendarOrphans },
  measures: calendarMeasures,
  mails: [reconnectMail],
  words: schedulerWords,
  records: { ja: '予約', en: 'bookings and availability' },
  audit_log: { path: '/api/v1/scheduler/audit-logs', about: 'the scheduler' },
});
