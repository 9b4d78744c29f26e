import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegisteredConfig, RouteConfig } from '../http/routes/route-config.ts'
import { sessionOf } from '../decorators.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { isAmong } from '../http/etag.ts'
import { forwardedPrefixOf } from '../http/forwarding-headers.ts'
import { interfaceFolder } from './interface-folder.ts'
import type { ResolvedOptions } from '../options.ts'
import { firstAnswers, readsOfDashboard } from './first-answers.ts'
import { pageIn, pageOf } from './page.ts'
import { themeStylesheet } from './theme-stylesheet.ts'
import { shortDigestOfText } from '../../json/digest.ts'

const config: object = { action: 'ui:view' } satisfies RouteConfig

/** The interface: its files, and its single page at every other address below the mount. */
export async function serveInterface(app: FastifyInstance, options: ResolvedOptions): Promise<void> {
  const { publicPath, trustForwarded, title, theme } = options
  const stylesheet = themeStylesheet(theme)
  const folder = options.interfaceFolder ?? interfaceFolder()
  const html = folder === null ? null : readFileSync(join(folder, 'index.html'), 'utf8')
  if (html === null) app.log.warn(createTaskDashboardError('INTERFACE_MISSING').message)

  async function answerPage(request: FastifyRequest, reply: FastifyReply) {
    if (html === null) throw createTaskDashboardError('INTERFACE_MISSING')
    const known = await sessionOf(request)(request)
    const session = known.actions.includes('session:view') ? known : null
    const answers = await firstAnswers(request, known, pageIn(request.url, app.prefix))
    reply.header('cache-control', 'private, no-cache').type('text/html; charset=utf-8')
    if (trustForwarded) reply.header('vary', 'X-Forwarded-Prefix')
    const forwardedPrefix = trustForwarded ? forwardedPrefixOf(request.headers) : null
    return reply.send(pageOf(html, {
      url: request.url, originalUrl: request.originalUrl, prefix: app.prefix, publicPath, forwardedPrefix, title, session, answers,
      defaultTheme: theme.defaultTheme, language: theme.language, hasStylesheet: stylesheet !== null
    }))
  }

  const pageConfig: object = { ...config, page: { signInUrl: options.signInUrl } } satisfies Partial<RegisteredConfig>
  const route = { method: 'GET', config: pageConfig, schema: { hide: true }, exposeHeadRoute: true, handler: answerPage } as const
  if (stylesheet !== null) serveStylesheet(app, stylesheet)
  serveFirstReads(app)
  app.route({ ...route, url: '/' })
  app.route({ ...route, url: '/*' })
  if (folder !== null) await serveAssets(app, join(folder, 'assets'))
}

/** One request instead of many. It is not part of the API: it contains whatever the current interface requests first. */
function serveFirstReads(app: FastifyInstance): void {
  app.route({
    method: 'GET', url: '/first-reads.json', config, schema: { hide: true }, exposeHeadRoute: true,
    handler: async (request, reply) => {
      const text = await readsOfDashboard(request, await sessionOf(request)(request))
      return reply.headers({ 'cache-control': 'no-store' }).type('application/json; charset=utf-8').send(text)
    }
  })
}

function serveStylesheet(app: FastifyInstance, stylesheet: string): void {
  const tag = `W/"${shortDigestOfText(stylesheet)}"`
  app.route({
    method: 'GET', url: '/theme.css', config, schema: { hide: true }, exposeHeadRoute: true,
    handler: async (request, reply) => {
      reply.headers({ 'cache-control': 'private, no-cache', etag: tag })
      if (isAmong(request.headers['if-none-match'], tag)) return reply.code(304).send()
      return reply.type('text/css; charset=utf-8').send(stylesheet)
    }
  })
}

async function serveAssets(app: FastifyInstance, root: string): Promise<void> {
  await app.register(async assets => {
    assets.addHook('onRoute', route => {
      route.config = { ...route.config, ...config }
      route.schema = { ...route.schema, hide: true }
    })
    await assets.register(fastifyStatic, {
      root,
      prefix: '/assets/',
      // The host may have its own reply.sendFile, and a wildcard would call the host's not-found handler.
      decorateReply: false,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      // File names contain a hash of the content.
      setHeaders: reply => { reply.header('cache-control', 'public, max-age=31536000, immutable') }
    })
  })
}
