import type { FastifyRequest } from 'fastify'
import { problemOfLink } from '../interface/link.ts'

/** Where the way back goes. */
export const RETURN_PLACEHOLDER = '{return}'

/** What is wrong with `signInUrl`; null when nothing is. */
export function problemOfSignInUrl(url: string): string | null {
  const problem = problemOfLink('signInUrl', '/login', url)
  if (problem !== null) return problem
  if (url.split(/[?#]/, 1)[0]!.includes(RETURN_PLACEHOLDER))
    return `signInUrl: ${RETURN_PLACEHOLDER} is only allowed in the query or the fragment`
  return null
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
