import t from 'tap'
import type { DashboardOptions } from '../../../lib/dashboard/options.ts'
import { buildDashboard } from '../build-dashboard.ts'

const HOSTILE = '</script><style>*{}</style>"\'&'
const THEME = {
  logo: 'https://cdn.example.com/logo.svg', accent: '#ffd400', environmentColour: '#0a0', backLink: { href: '/admin?a=1&b="', text: HOSTILE },
  defaultTheme: 'dark'
} as const

void t.test('the theme is a stylesheet below the mount, which browsers revalidate', async t => {
  for (const prefix of ['/', '/tasks', '/a/b/']) {
    const app = await buildDashboard(t, { prefix, environment: 'canary', interface: THEME })
    const mount = prefix.replace(/\/$/, '')
    const page = (await app.inject(`${mount}/schedules`)).body
    t.match(page, /<link rel="stylesheet" crossorigin href="[^"]+">[^]*<link rel="stylesheet" href="\.\/theme\.css">\s*<\/head>/)
    t.match(page, '<html data-default-theme="dark" data-theme="dark" lang="en">')

    const { statusCode, headers, body } = await app.inject(`${mount}/theme.css`)
    t.equal(statusCode, 200)
    t.match(headers, { 'content-type': 'text/css; charset=utf-8', 'x-content-type-options': 'nosniff' })
    t.equal(headers['cache-control'], 'private, no-cache')
    t.match(body, '--on-accent: light-dark(#000000, #000000);')
    t.match(body, '.environment { border-color: #00aa00; background: #00aa00; color: #000000; }')
    const unchanged = await app.inject({ url: `${mount}/theme.css`, headers: { 'if-none-match': String(headers['etag']) } })
    t.match(unchanged, { statusCode: 304, body: '' })
    t.equal((await app.inject({ method: 'HEAD', url: `${mount}/theme.css` })).statusCode, 200)
    t.equal((await app.inject({ method: 'POST', url: `${mount}/theme.css` })).statusCode, 405)
  }
})

void t.test('without colours no stylesheet is linked', async t => {
  const app = await buildDashboard(t, { interface: { defaultTheme: 'system' } })
  const page = await app.inject('/tasks')
  t.notMatch(page.body, /theme\.css|data-theme/)
  t.match((await app.inject('/tasks/api/session')).json(), { logo: null, back_link: null })
})

void t.test('the language of the host is written into the page, and the server itself responds in English', async t => {
  const languages: Array<['auto' | 'en' | 'de' | undefined, string]> = [
    [undefined, '<html lang="en">'], ['auto', '<html lang="en">'], ['en', '<html data-default-language="en" lang="en">'],
    ['de', '<html data-default-language="de" lang="en">']
  ]
  for (const [language, element] of languages) {
    const app = await buildDashboard(t, { interface: language === undefined ? {} : { language } })
    for (const accepted of ['de', 'en', '']) {
      const { body } = await app.inject({ url: '/tasks', headers: { 'accept-language': accepted } })
      t.match(body, element, `${language}, whatever the browser accepts: ${accepted}`)
    }
    const refused = await app.inject({ url: '/tasks/api/executions/none', headers: { 'accept-language': 'de' } })
    t.match(refused.json().detail, /execution/i)
  }
})

void t.test('the stylesheet requires the same access as the page', async t => {
  const app = await buildDashboard(t, { interface: { accent: '#f00' }, authorize: (_request, action) => action !== 'ui:view' })
  t.equal((await app.inject('/tasks/theme.css')).statusCode, 403)
  t.equal((await app.inject('/tasks')).statusCode, 403)
})

void t.test("logo and back link are data of the page, and the policy allows images from the logo's origin only", async t => {
  const app = await buildDashboard(t, { interface: THEME, environment: HOSTILE })
  const { body, headers } = await app.inject('/tasks')
  const [, json] = /id="task-dashboard-session">(.*?)<\/script>/.exec(body)!
  t.match(JSON.parse(json!), { logo: THEME.logo, back_link: THEME.backLink })
  t.notMatch(body.replace(json!, ''), /cdn\.example|<style/)
  t.match(headers['content-security-policy'], /; img-src 'self' data: https:\/\/cdn\.example\.com; /)
  t.notMatch(headers['content-security-policy'], /unsafe/)
  const own = await buildDashboard(t, { interface: { logo: '/logo.svg' } })
  t.match((await own.inject('/tasks')).headers['content-security-policy'], /; img-src 'self' data:; /)
})

void t.test('invalid options of the interface are refused with what they must be', async t => {
  const refused: Array<[object, RegExp]> = [
    [{ accent: 'red' }, /interface\.accent must be a colour such as #3b5bdb/],
    [{ accent: '#fff; } body { display: none' }, /interface\.accent/],
    [{ accent: 'url(javascript:alert(1))' }, /interface\.accent/],
    [{ environmentColour: '#12345' }, /interface\.environmentColour must be a colour/],
    [{ logo: 'javascript:alert(1)' }, /interface\.logo must be a path \(\/logo\.svg\) or an http or https URL/],
    [{ logo: 'data:image/svg+xml,<svg onload=alert(1)>' }, /interface\.logo must/],
    [{ logo: '//evil.example/x.png' }, /interface\.logo must be a path/],
    [{ logo: '/\\evil.example/x.png' }, /interface\.logo must have no spaces, backslashes/],
    [{ logo: 'https://user:secret@cdn.example.com/x.png' }, /interface\.logo must not contain a user name or password/],
    [{ logo: `/${'x'.repeat(2_000)}` }, /interface\.logo/],
    [{ backLink: { href: 'java\nscript:alert(1)', text: 'x' } }, /interface\.backLink\.href must have no spaces/],
    [{ backLink: { href: 'vbscript:x', text: 'x' } }, /interface\.backLink\.href must be a path \(\/admin\)/],
    [{ backLink: { href: '/admin', text: '' } }, /interface\.backLink\.text/],
    [{ backLink: { href: '/admin', text: 'x'.repeat(61) } }, /interface\.backLink\.text/],
    [{ backLink: { href: '/admin' } }, /interface\.backLink\.text/],
    [{ defaultTheme: 'blue' }, /interface\.defaultTheme must be "system", "light" or "dark"/],
    [{ language: 'fr' }, /interface\.language must be "auto", "en" or "de"/],
    [{ colour: '#fff' }, /interface\.colour is not an option/]
  ]
  for (const [wrong, message] of refused) {
    const what = JSON.stringify(wrong).slice(0, 80)
    await t.rejects(buildDashboard(t, { environment: 'x', interface: wrong }), { code: 'INVALID_OPTIONS', message }, what)
  }
  await t.rejects(buildDashboard(t, { interface: { environmentColour: '#fff' } }), { message: /environmentColour needs environment/ })
  await t.rejects(buildDashboard(t, { interface: 'x' } as unknown as DashboardOptions), { message: /interface: expected object/ })
})

void t.test('no page may frame the dashboard unless the host names it', async t => {
  const cases: Array<[string[] | undefined, string, string | undefined]> = [
    [undefined, "frame-ancestors 'none'", 'DENY'],
    [[], "frame-ancestors 'none'", 'DENY'],
    [['self'], "frame-ancestors 'self'", 'SAMEORIGIN'],
    [['self', 'https://Portal.example.com:8443', 'http://*.intern'], "frame-ancestors 'self' https://portal.example.com:8443 http://*.intern",
      undefined]
  ]
  for (const [frameAncestors, directive, frameOptions] of cases) {
    const app = await buildDashboard(t, {
      ...(frameAncestors && { frameAncestors }), authorize: (_request, action) => action !== 'stats:view'
    })
    const asPerson = { headers: { accept: 'text/html' } }
    for (const url of ['/tasks', '/tasks/api/stats', '/tasks/api/none', '/tasks/assets/none.js']) {
      const { headers } = await app.inject({ url, ...asPerson })
      t.ok(String(headers['content-security-policy']).endsWith(`; ${directive}`), `${url}: ${headers['content-security-policy']}`)
      t.equal(headers['x-frame-options'], frameOptions, url)
    }
    const refused = await app.inject({ url: '/tasks', ...asPerson, remoteAddress: '192.0.2.1' })
    t.match(refused, { statusCode: 200 })
  }
  const closed = await buildDashboard(t, { frameAncestors: ['https://portal.example.com'] })
  const refusal = await closed.inject({ url: '/tasks', headers: { accept: 'text/html' }, remoteAddress: '192.0.2.1' })
  t.equal(refusal.statusCode, 403)
  t.match(refusal.headers['content-security-policy'], /script-src 'sha256.*; frame-ancestors https:\/\/portal\.example\.com$/)
})

void t.test('a frame ancestor must be an origin', async t => {
  const wrong = [
    'portal.example.com', 'https://portal.example.com/path', '*', 'https://*', "'self'", 'https://a.example; script-src *', 'data:', '',
    'https://a.example b.example', 'https://a.example,b.example'
  ]
  for (const ancestor of wrong)
    await t.rejects(buildDashboard(t, { frameAncestors: [ancestor] }), { code: 'INVALID_OPTIONS', message: /frameAncestors/ }, ancestor)
  await t.rejects(buildDashboard(t, { frameAncestors: 'self' } as unknown as DashboardOptions), { message: /frameAncestors: expected array/ })
})

void t.test('the address of a trace must be an http or https URL that has the id after the host', async t => {
  await buildDashboard(t, { interface: { traceUrl: 'https://traces.example.com/trace/{trace_id}?span={span_id}' } })
  for (const traceUrl of [
    'javascript:alert(1)//{trace_id}', '/trace/{trace_id}', 'https://{trace_id}.example.com/', 'https://a:b@example.com/{trace_id}',
    'https://traces.example.com/', 'https://example.com/ {trace_id}'
  ]) await t.rejects(buildDashboard(t, { interface: { traceUrl } }), { code: 'INVALID_OPTIONS', message: /interface\.traceUrl must/ }, traceUrl)
})
