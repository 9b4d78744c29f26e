import type { FastifyRequest } from 'fastify'

/** Where the way back goes. */
export const RETURN_PLACEHOLDER = '{return}'

/** What is wrong with `signInUrl`; null when nothing is. */
export function problemOfSignInUrl(url: string): string | null {
  // Browsers read a backslash as a slash, and leave out tabs and newlines.
  if (/[\p{Cc}\s\\]/u.test(url)) return 'signInUrl must have no spaces, backslashes or control characters'
  const isPath = /^\/(?!\/)/.test(url)
  const parsed = parse(url)
  if (parsed === null || (!isPath && !/^https?:\/\//i.test(url))) return 'signInUrl must be a path (/login) or an http or https URL'
  if (parsed.username !== '' || parsed.password !== '') return 'signInUrl must not contain a user name or password'
  if (url.split(/[?#]/, 1)[0]!.includes(RETURN_PLACEHOLDER))
    return `signInUrl: ${RETURN_PLACEHOLDER} is only allowed in the query or the fragment`
  return null
}

function parse(url: string): URL | null {
  try {
    return new URL(url, 'http://dashboard.invalid')
  } catch {
    return null
  }
}

/** The address of the sign-in that leads back to what was asked for. */
export function signInAddress(signInUrl: string, { originalUrl }: Pick<FastifyRequest, 'originalUrl'>): string {
  return signInUrl.replaceAll(RETURN_PLACEHOLDER, () => encodeURIComponent(ownPath(originalUrl)))
}

/** Two slashes or backslashes at the beginning would be another host to whoever redirects there; so would a target with an authority. */
function ownPath(target: string): string {
  const path = target.startsWith('/') || target.startsWith('\\') ? target : '/'
  return path.replace(/^[/\\]+/, '/')
}
