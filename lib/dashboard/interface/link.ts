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

function parse(url: string): URL | null {
  try {
    return new URL(url, 'http://dashboard.invalid')
  } catch {
    return null
  }
}
