import { domain } from '../platform/domain.ts';
import { expireDueBookings } from './bookings/expiry.ts';
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
    public_pages: {
      title: 'Booking pages',
      description: 'What guests read and book who have nothing but the address of a page.',
    },
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
  ],
  words: schedulerWords,
  records: { ja: '予約', en: 'bookings and availability' },
  audit_log: { path: '/api/v1/scheduler/audit-logs', about: 'the scheduler' },
});
