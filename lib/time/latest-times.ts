/** The latest time that a `Date` can hold, in milliseconds since the epoch. Other code may have written any number. */
export const MAX_DATE_MS = 8.64e15

/** The year 9999. Calendars are only computed for times before. */
export const MAX_CALENDAR_MS = Date.UTC(9999, 0)
