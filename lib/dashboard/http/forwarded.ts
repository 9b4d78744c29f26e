import type { IncomingHttpHeaders } from 'node:http'
import { PATH } from '../options.ts'

/*
 * What a proxy says of the request that it passed on. Read only with `trustForwarded`, and never to tell who asks.
 */

const PREFIX = new RegExp(PATH)
const MAX_PREFIX_LENGTH = 1000

/** X-Forwarded-Prefix without a slash at the end; null when there is none, or none that is a path. */
export function forwardedPrefixOf(headers: IncomingHttpHeaders): string | null {
  const prefix = headers['x-forwarded-prefix']
  if (typeof prefix !== 'string' || prefix === '' || prefix.length > MAX_PREFIX_LENGTH || !PREFIX.test(prefix)) return null
  return prefix.replace(/\/$/, '')
}

/** The host that the first proxy was asked for; undefined when nobody says. */
export function forwardedHostOf(headers: IncomingHttpHeaders): string | undefined {
  const host = headers['x-forwarded-host']
  return typeof host === 'string' ? host.split(',')[0]!.trim() || undefined : undefined
}
