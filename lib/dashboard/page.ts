import type { Session } from '../../schemas/session.ts'
import { pathOf, segmentsOf } from './address.ts'

interface PageRequest {
  /** As the router saw it, with the mount's prefix. */
  readonly url: string
  /** As it was asked for. */
  readonly originalUrl: string
  readonly prefix: string
  readonly publicPath: string | null
  readonly session: Session
}

/** index.html with its `<base>` and the session, so that one build works below any path and starts without asking. */
export function pageOf(html: string, request: PageRequest): string {
  const base = request.publicPath === null ? baseOf(request) : `${request.publicPath}/`
  const session = JSON.stringify(request.session).replaceAll('<', '\\u003c')
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(request.session.title)}</title>`)
    .replace('<head>', () => `<head>\n    <base href="${escaped(base)}">\n    <script type="application/json" id="task-dashboard-session">${session}</script>`)
}

/**
 * The way from a page to the mount. It is relative and comes from the path below the mount alone, so it holds behind proxies
 * that add or take away segments before it.
 */
export function baseOf({ url, originalUrl, prefix }: Omit<PageRequest, 'session' | 'publicPath'>): string {
  const path = pathOf(url)
  const depth = segmentsOf(path).length - segmentsOf(prefix).length
  if (depth > 0) return '../'.repeat(path.endsWith('/') ? depth : depth - 1) || './'
  const asked = pathOf(originalUrl)
  // Without a trailing slash, "./" would be the folder above.
  return asked.endsWith('/') ? './' : `./${asked.slice(asked.lastIndexOf('/') + 1)}/`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
