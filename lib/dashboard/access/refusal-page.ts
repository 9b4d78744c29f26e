import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Problem } from '../../../schemas/problem.ts'
import type { RegisteredConfig } from '../http/routes/route-config.ts'
import { headersOf, type Headers } from '../http/headers.ts'
import { escaped } from '../interface/page.ts'
import { signInAddress } from './sign-in-url.ts'

/** Whether a person is opening a dashboard page in a browser. Programs get the problem as JSON. */
export function isForPerson(request: FastifyRequest): boolean {
  return configOf(request).page !== undefined && /\btext\/html\b/i.test(request.headers.accept ?? '')
}

/** A problem as a page in plain English, with a link for what to do next. */
export function refusalPage(problem: Problem, request: FastifyRequest): string {
  const { title, text, link } = wordsOf(problem, configOf(request).page?.signInUrl ?? null, request)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${text === null ? '' : `<p>${escaped(text)}</p>\n`}${link === null
  ? ''
  : `<p><a href="${escaped(link.href)}"${link.template === undefined
    ? ''
    : ` data-sign-in="${escaped(link.template)}"`}>${escaped(link.text)}</a></p>\n`}<p class="code">${escaped([
    String(problem.status), problem.code, ...(problem.request_id === undefined ? [] : [`request id ${problem.request_id}`])
  ].join(' · '))}</p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; --surface: light-dark(#f7f7f8, #111214); --card: light-dark(#fff, #18191c);
  --border: light-dark(#e6e7ea, #26282c); --text: light-dark(#1b1c1f, #ececee); --muted: light-dark(#62666f, #9a9ea7);
    --accent: light-dark(#3b5bdb, #4a67e0); }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; background: var(--surface); color: var(--text);
  font: 14px/1.5 -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif; }
main { box-sizing: border-box; width: min(440px, calc(100vw - 32px)); margin: 16px 0; padding: 28px; border: 1px solid var(--border);
  border-radius: 8px; background: var(--card); overflow-wrap: anywhere; }
h1 { margin: 0 0 8px; font-size: 18px; line-height: 1.35; }
p { margin: 0 0 16px; }
a { display: inline-block; padding: 7px 16px; border-radius: 6px; background: var(--accent); color: #fff; font-weight: 600;
  text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.code { margin: 0; color: var(--muted); font-size: 12px; }
`

/** Behind a proxy that removes part of the path, only the browser knows the full address. */
const SCRIPT =
  `for (const link of document.querySelectorAll('a[data-sign-in]')) link.href = link.dataset.signIn.replaceAll('{return}', () => ` +
    `encodeURIComponent(location.pathname.replace(/^[/\\\\]+/, '/') + location.search))`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const OWN_POLICY =
  `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'`

/** The headers of this dashboard's responses, except that the page's inline style and script are allowed. */
export function refusalPageHeaders(request: FastifyRequest): Headers {
  const headers = headersOf(request)
  const framing = /frame-ancestors [^;]*/.exec(headers['content-security-policy'])![0]
  return {
    ...headers, 'content-security-policy': `${OWN_POLICY}; ${framing}`, 'content-type': 'text/html; charset=utf-8', vary: 'Accept'
  }
}

interface Words {
  readonly title: string
  readonly text: string | null
  readonly link: { readonly text: string; readonly href: string; readonly template?: string } | null
}

const AGAIN = { text: 'Reload', href: '' }
const SIGN_IN = 'Sign in to see this dashboard'

function wordsOf({ status, code, detail }: Problem, signInUrl: string | null, request: FastifyRequest): Words {
  const signIn = signInUrl === null ? null : { text: 'Sign in', href: signInAddress(signInUrl, request), template: signInUrl }
  if (code === 'UNAUTHENTICATED')
    return { title: SIGN_IN, text: 'This dashboard needs a user name and a password. Reload the page to enter them.', link: AGAIN }
  if (status === 401) {
    const why = 'You are not signed in, or your session has ended.'
    return {
      title: SIGN_IN, text: signIn ? why : `${why} Sign in to the application that this dashboard belongs to, then reload this page.`,
      link: signIn ?? AGAIN
    }
  }
  if (code === 'FORBIDDEN')
    return {
      title: 'You may not see this page', text: 'Ask the people who run this dashboard for access, or sign in as a user who has it.',
      link: signIn ?? AGAIN
    }
  const text = /[.!?]$/.test(detail) ? detail : `${detail}.`
  if (status === 403) return { title: 'This dashboard is closed to you', text, link: signIn }
  if (status === 404) return { title: 'There is nothing at this address', text: null, link: null }
  return { title: 'This page could not be shown', text, link: AGAIN }
}

function configOf(request: FastifyRequest): RegisteredConfig {
  return request.routeOptions.config as unknown as RegisteredConfig
}
