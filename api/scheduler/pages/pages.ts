import type { Page } from '../../pages/kit/page.ts';
import { bookingPage } from './booking.ts';
import { eventTypePage } from './event-type.ts';
import { organizationPage } from './organization.ts';

/** What guests open who book with an organization. */
export const bookingPages: readonly Page[] = [organizationPage, eventTypePage, bookingPage];
