import { createTaskDashboardError } from '../../errors.ts'
import { percentDecoded } from './percent-decoded.ts'
import type { StoreOptions } from '../store.ts'

/** Parses the URL of a server and checks that its host, port and encoding are valid. Throws INVALID_OPTIONS. */
export function parseServerUrl(text: string, role: StoreOptions['role']): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw createTaskDashboardError(
      'INVALID_OPTIONS',
      [`the URL of the ${role} is not valid: check its host and port (1 to 65535), and percent-encode special characters of the password`]
    )
  }
  if (url.port === '0') throw createTaskDashboardError('INVALID_OPTIONS', [`the URL of the ${role} has port 0: use 1 to 65535`])
  percentDecoded(url.username, `the user in the URL of the ${role}`)
  percentDecoded(url.password, `the password in the URL of the ${role}`)
  percentDecoded(url.pathname, `the path in the URL of the ${role}`)
  return url
}
