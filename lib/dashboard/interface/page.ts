import type { Health } from '../../../schemas/health.ts'
import type { Session } from '../../../schemas/session.ts'
import type { Stats } from '../../../schemas/stats.ts'
import { pathOf, segmentsOf } from '../http/routes/address.ts'
import type { ResolvedInterfaceOptions } from './interface-options.ts'

export interface FirstAnswers {
  /** When they were read. */
  readonly at: string
  readonly health?: Health
  readonly stats?: Stats
  /** Responses of the API as JSON, by their address below the mount. */
  readonly reads: Readonly<Record<string, string>>
}

interface PageRequest {
  /** As the router saw it, with the mount prefix. */
  readonly url: string
  /** As requested. */
  readonly originalUrl: string
  readonly prefix: string
  readonly publicPath: string | null
  /** The prefix that a trusted proxy says it removed; null if there is none. */
  readonly forwardedPrefix: string | null
  readonly title: string
  /** For readers who have not chosen one. */
  readonly defaultTheme: ResolvedInterfaceOptions['defaultTheme']
  /** For readers who have not chosen one; `auto` leaves it to their browser. */
  readonly language: ResolvedInterfaceOptions['language']
  /** Whether the host sets its own colours. */
  readonly hasStylesheet: boolean
  /** Null if the user may not see it. */
  readonly session: Session | null
  /** Responses to the page's first requests, as far as they are known already and the reader may see them. */
  readonly answers: FirstAnswers
}

/** A script that only some pages need, as the build writes it. The first script, which all pages need, has no `data-pages`. */
const PAGE_LINK = /<link [^>]*data-pages="([^"]*)">\n?/g

/**
 * index.html with its `<base>`, the session and the first responses, so that one build works under any path and starts without a request.
 */
export function pageOf(html: string, request: PageRequest): string {
  const base = publicBaseOf(request) ?? baseOf(request)
  const data = [
    request.session === null ? '' : dataElement('task-dashboard-session', JSON.stringify(request.session)),
    dataElement('task-dashboard-answers', answersText(request.answers))
  ].join('')
  // The last segment of a page's address is the name of its script.
  const [script = ''] = pageIn(request.url, request.prefix).split('/').slice(-1)
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(request.title)}</title>`)
    .replaceAll(PAGE_LINK, (link, pages: string) => (pages.split(' ').includes(script) ? link : ''))
    .replace('<html', () => `<html${defaultsOf(request)}`)
    // After the interface's stylesheet, which it overrides.
    .replace('</head>', () => (request.hasStylesheet ? '  <link rel="stylesheet" href="./theme.css">\n  </head>' : '</head>'))
    .replace('<head>', () => `<head>\n    <base href="${escaped(base)}">${data}`)
}

/** What the interface shows to readers who have not chosen. */
function defaultsOf({ defaultTheme, language }: Pick<PageRequest, 'defaultTheme' | 'language'>): string {
  return (defaultTheme === 'system' ? '' : ` data-default-theme="${defaultTheme}" data-theme="${defaultTheme}"`) +
    (language === 'auto' ? '' : ` data-default-language="${language}"`)
}

function answersText({ reads, ...answers }: FirstAnswers): string {
  return JSON.stringify({ ...answers, reads: null }).replace(/null}$/, () => `${readsText(reads)}}`)
}

export function readsText(reads: FirstAnswers['reads']): string {
  return `{${Object.entries(reads).map(([address, json]) => `${JSON.stringify(address)}:${json}`).join(',')}}`
}

function dataElement(id: string, json: string): string {
  return `\n    <script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>`
}

/** The mount path as browsers see it, if it is configured or forwarded. */
function publicBaseOf({ publicPath, forwardedPrefix, url, originalUrl, prefix }: PageRequest): string | null {
  if (publicPath !== null) return `${publicPath}/`
  if (forwardedPrefix === null) return null
  const asked = segmentsOf(pathOf(originalUrl))
  const mount = asked.slice(0, asked.length - depthOf(url, prefix))
  return `${[forwardedPrefix, ...mount].join('/')}/`
}

/**
 * The relative path from a page to the mount. It depends only on the path below the mount, so it works behind proxies that add or remove
 * leading segments.
 */
export function baseOf({ url, originalUrl, prefix }: Pick<PageRequest, 'url' | 'originalUrl' | 'prefix'>): string {
  const depth = depthOf(url, prefix)
  if (depth > 0) return '../'.repeat(pathOf(url).endsWith('/') ? depth : depth - 1) || './'
  const asked = pathOf(originalUrl)
  // Without a trailing slash, "./" would be the parent folder.
  return asked.endsWith('/') ? './' : `./${asked.slice(asked.lastIndexOf('/') + 1)}/`
}

/** `/failures` of `/tasks/failures/`, where `/tasks` is the prefix. */
export function pageIn(url: string, prefix: string): string {
  return `/${segmentsOf(pathOf(url)).slice(segmentsOf(prefix).length).join('/')}`
}

/** Number of segments below the mount. */
function depthOf(url: string, prefix: string): number {
  return segmentsOf(pathOf(url)).length - segmentsOf(prefix).length
}

/** Escapes HTML text and quoted attributes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
