import type { FastifyRequest } from 'fastify'
import { problemOfLink } from '../interface/link.ts'

/** Replaced by the return path. */
export const RETURN_PLACEHOLDER = '{return}'

/** What is wrong with `signInUrl`; null if nothing is. */
export function problemOfSignInUrl(url: string): string | null {
  const problem = problemOfLink('signInUrl', '/login', url)
  if (problem !== null) return problem
  if (url.split(/[?#]/, 1)[0]!.includes(RETURN_PLACEHOLDER))
    return `signInUrl: ${RETURN_PLACEHOLDER} is only allowed in the query or the fragment`
  return null
}

/** The sign-in address, which leads back to the requested page. */
export function signInAddress(signInUrl: string, { originalUrl }: Pick<FastifyRequest, 'originalUrl'>): string {
  return signInUrl.replaceAll(RETURN_PLACEHOLDER, () => encodeURIComponent(ownPath(originalUrl)))
}

/** Two leading slashes or backslashes would name another host to whatever redirects there. So would an absolute URL. */
function ownPath(target: string): string {
  const path = target.startsWith('/') || target.startsWith('\\') ? target : '/'
  return path.replace(/^[/\\]+/, '/')
}
