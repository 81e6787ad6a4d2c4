import { DAY } from '../kernel/days.ts';
import { domain } from '../platform/domain.ts';
import { expireDueBookings } from './bookings/expiry.ts';
import { fillCalendarJob, writeEntryJob } from './calendars/entries/jobs.ts';
import { calendarOrphans } from './calendars/orphans.ts';
import { reconnectMail } from './calendars/reconnect-mail.ts';
import { calendarSweeps } from './calendars/sweeps.ts';
import { disconnectJob, syncCalendarsJob, watchCalendarsJob } from './calendars/sync/jobs.ts';
import { bookingExport } from './exports/bookings.ts';
import { reasonsOfScheduler } from './failure-reasons.ts';
import { removeDueHolds } from './holds/sweep.ts';
import { bookingMail } from './mails/booking-mail.ts';
import { releaseDueMails } from './mails/order.ts';
import { proposalEndedMail } from './mails/proposal-ended-mail.ts';
import { proposalMail } from './mails/proposal-mail.ts';
import { sessionMail } from './mails/session-mail.ts';
import { schedulerMeasures } from './measures.ts';
import { schedulerPeople } from './members/following.ts';
import { pointless } from './pointless-mails.ts';
import { expireDueProposals } from './proposals/expiry.ts';
import { bookingReminder, sessionReminder } from './reminders/mail.ts';
import { sendDueReminders } from './reminders/sweep.ts';
import { blankGuests } from './retention/sweep.ts';
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
    public_pages: {
      title: 'Booking pages',
      description: 'What guests read and book who have nothing but the address of a page.',
    },
    holds: { title: 'Holds', description: 'Starts that guests keep while they fill in a booking.' },
    bookings: { title: 'Bookings', description: 'What guests have booked.' },
    sessions: { title: 'Sessions', description: 'Starts that guests share.' },
    guest_bookings: {
      title: 'Bookings of guests',
      description: 'What guests do by the link of their booking.',
    },
    feeds: { title: 'Feeds', description: 'Bookings of members as calendars that programs follow.' },
    calendar_events: {
      title: 'Calendar events',
      description: 'What occupies members, and time that is blocked by hand.',
    },
    proposals: { title: 'Proposals', description: 'Several times, of which a guest accepts one.' },
    guest_proposals: { title: 'Proposals for guests', description: 'What the guest of a proposal does.' },
    dashboard: { title: 'Dashboard', description: 'How bookings stand, in numbers.' },
    settings: {
      title: 'Settings of the scheduler',
      description: 'Zone, week, pages, reminders and calendars.',
    },
  },
  people: schedulerPeople,
  measures: schedulerMeasures,
  guides: ['booking-page', 'booking-transitions', 'calendars'],
  file_words: { 予約: 'bookings' },
  exports: [bookingExport],
  sweeps: [
    {
      name: 'pending_bookings',
      description: {
        en: 'Expires bookings that nobody confirmed in time',
        ja: '期限までに確定されなかった予約を終了します',
      },
      every: 15_000,
      run: expireDueBookings,
    },
    ...calendarSweeps,
    {
      name: 'booking_holds',
      description: { en: 'Removes holds of starts that are over', ja: '過ぎた時間の仮押さえを削除します' },
      every: 15_000,
      run: removeDueHolds,
    },
    {
      name: 'booking_reminders',
      description: {
        en: 'Asks for the reminders of bookings that are due',
        ja: '予約のリマインダーを送る時刻になったものを依頼します',
      },
      every: 15_000,
      run: sendDueReminders,
    },
    {
      name: 'held_booking_mails',
      description: {
        en: 'Sends mails that waited long enough for the link of a video call',
        ja: 'ビデオ会議のリンクを待ったメールを送ります',
      },
      every: 15_000,
      run: releaseDueMails,
    },
    {
      name: 'guests_of_the_past',
      description: {
        en: 'Blanks the data of guests so long after their bookings as organizations want',
        ja: '組織が決めた期間の過ぎた、お客様の個人情報を消去します',
      },
      every: DAY,
      run: blankGuests,
    },
    {
      name: 'open_proposals',
      description: {
        en: 'Expires proposals that no guest answered in time',
        ja: '期限までに返事のなかった提案を終了します',
      },
      every: 15_000,
      run: expireDueProposals,
    },
  ],
  jobs: [syncCalendarsJob, watchCalendarsJob, disconnectJob, writeEntryJob, fillCalendarJob],
  orphans: { rows: calendarOrphans },
  pointless_mails: Object.values(pointless),
  failure_reasons: Object.values(reasonsOfScheduler),
  mails: [
    bookingMail,
    sessionMail,
    bookingReminder,
    sessionReminder,
    proposalMail,
    proposalEndedMail,
    reconnectMail,
  ],
  words: schedulerWords,
  records: { ja: '予約', en: 'bookings and availability' },
  audit_log: { path: '/api/v1/scheduler/audit-logs', about: 'the scheduler' },
});
