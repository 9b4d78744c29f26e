/** `Link` to the next page, relative to the request, so that it works behind any proxy. */
export function linkToNext(url: string, cursor: string): string {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  query.set('cursor', cursor)
  return `<?${query.toString()}>; rel="next"`
}

/** Address of a schedule created at `…/api/schedules/cron`, relative to it for the same reason. */
export function locationOf(scheduleId: string): string {
  return `./${encodeURIComponent(scheduleId)}`
}
