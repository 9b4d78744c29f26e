import type { Session } from '../../../schemas/session.ts'
import { pathOf, segmentsOf } from '../http/routes/address.ts'
import type { ResolvedTheme } from './theme.ts'

interface PageRequest {
  /** As the router saw it, with the mount's prefix. */
  readonly url: string
  /** As it was asked for. */
  readonly originalUrl: string
  readonly prefix: string
  readonly publicPath: string | null
  /** What a trusted proxy says that it took off; null when there is none. */
  readonly forwardedPrefix: string | null
  readonly title: string
  /** Of readers who have not chosen one. */
  readonly defaultTheme: ResolvedTheme['defaultTheme']
  /** The host has colours of its own. */
  readonly hasStylesheet: boolean
  /** Null for those who may not see it. */
  readonly session: Session | null
}

/** index.html with its `<base>` and the session, so that one build works below any path and starts without asking. */
export function pageOf(html: string, request: PageRequest): string {
  const base = publicBaseOf(request) ?? baseOf(request)
  const session = request.session === null
    ? ''
    : '\n    <script type="application/json" ' +
      `id="task-dashboard-session">${JSON.stringify(request.session).replaceAll('<', '\\u003c')}</script>`
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(request.title)}</title>`)
    .replace('<html', () => request.defaultTheme === 'system'
      ? '<html'
      : `<html data-default-theme="${request.defaultTheme}" data-theme="${request.defaultTheme}"`)
    // After the stylesheet of the interface, which it changes.
    .replace('</head>', () => (request.hasStylesheet ? '  <link rel="stylesheet" href="./theme.css">\n  </head>' : '</head>'))
    .replace('<head>', () => `<head>\n    <base href="${escaped(base)}">${session}`)
}

/** The path of the mount as browsers see it, when somebody said so. */
function publicBaseOf({ publicPath, forwardedPrefix, url, originalUrl, prefix }: PageRequest): string | null {
  if (publicPath !== null) return `${publicPath}/`
  if (forwardedPrefix === null) return null
  const asked = segmentsOf(pathOf(originalUrl))
  const mount = asked.slice(0, asked.length - depthOf(url, prefix))
  return `${[forwardedPrefix, ...mount].join('/')}/`
}

/**
 * The way from a page to the mount. It is relative and comes from the path below the mount alone, so it holds behind proxies
 * that add or take away segments before it.
 */
export function baseOf({ url, originalUrl, prefix }: Pick<PageRequest, 'url' | 'originalUrl' | 'prefix'>): string {
  const depth = depthOf(url, prefix)
  if (depth > 0) return '../'.repeat(pathOf(url).endsWith('/') ? depth : depth - 1) || './'
  const asked = pathOf(originalUrl)
  // Without a trailing slash, "./" would be the folder above.
  return asked.endsWith('/') ? './' : `./${asked.slice(asked.lastIndexOf('/') + 1)}/`
}

/** Segments below the mount. */
function depthOf(url: string, prefix: string): number {
  return segmentsOf(pathOf(url)).length - segmentsOf(prefix).length
}

/** For text and quoted attributes of HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
