/**
 * What is wrong with an address that browsers visit or load from; null if nothing is.
 * @param example a path that would be valid
 */
export function problemOfLink(name: string, example: string, url: string): string | null {
  // Browsers treat a backslash as a slash, and drop tabs and newlines.
  if (/[\p{Cc}\s\\]/u.test(url)) return `${name} must have no spaces, backslashes or control characters`
  const isPath = /^\/(?!\/)/.test(url)
  const parsed = parse(url)
  if (parsed === null || (!isPath && !/^https?:\/\//i.test(url))) return `${name} must be a path (${example}) or an http or https URL`
  if (parsed.username !== '' || parsed.password !== '') return `${name} must not contain a user name or password`
  return null
}

/** What is wrong with the address of a trace, in which `{trace_id}` stands for its id; null if nothing is. */
export function problemOfTraceUrl(name: string, url: string): string | null {
  const example = 'https://traces.example.com/trace/{trace_id}'
  if (!/^https?:\/\//i.test(url)) return `${name} must be an http or https URL (${example})`
  const problem = problemOfLink(name, example, url)
  if (problem !== null) return problem
  // An id in the name of the host would send readers to another host for each trace.
  const [, place = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  return url.includes('{trace_id}') && !/[{}]/.test(place) ? null : `${name} must have {trace_id} after the host (${example})`
}

function parse(url: string): URL | null {
  try {
    return new URL(url, 'http://dashboard.invalid')
  } catch {
    return null
  }
}
