import { createTaskDashboardError } from '../errors.ts'
import type { StoreOptions } from './store.ts'

/** The URL of a server, whose host and port are there, and whose parts can be decoded. Throws INVALID_OPTIONS. */
export function parseServerUrl(text: string, role: StoreOptions['role']): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw createTaskDashboardError('INVALID_OPTIONS', [`the URL of the ${role} is not valid: check its host and port (1 to 65535), and percent-encode special characters of the password`])
  }
  if (url.port === '0') throw createTaskDashboardError('INVALID_OPTIONS', [`the URL of the ${role} has port 0: use 1 to 65535`])
  decodeUrlPart(url.username, 'user', role)
  decodeUrlPart(url.password, 'password', role)
  decodeUrlPart(url.pathname, 'path', role)
  return url
}

/** A percent-encoded part of a URL as it was meant. Throws INVALID_OPTIONS, which names the part and not what it says. */
export function decodeUrlPart(text: string, part: string, role: StoreOptions['role']): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw createTaskDashboardError('INVALID_OPTIONS', [
      `the ${part} in the URL of the ${role} has a % that is not followed by two hexadecimal digits: write %25 for a %, or encode it with encodeURIComponent`
    ])
  }
}

/** Without credentials and parameters, for messages and logs. */
export function labelOf(url: URL): string {
  const shown = new URL(url.href)
  shown.username = shown.password = shown.search = ''
  return shown.href
}
