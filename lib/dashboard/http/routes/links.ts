/** `Link` to the next page, relative to the request, so that it works behind any proxy. */
export function linkToNext(url: string, cursor: string): string {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  query.set('cursor', cursor)
  return `<?${query.toString()}>; rel="next"`
}

/**
 * Address of a resource that a request created, relative to the request's address for the same reason.
 * @param folder the folder of the new address, relative to the request's. Default `.`, for a schedule created at `…/api/schedules/cron`
 */
export function locationOf(id: string, folder = '.'): string {
  return `${folder}/${encodeURIComponent(id)}`
}
