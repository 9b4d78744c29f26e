import 'reflect-metadata'
import { Module, type INestApplication } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import express from 'express'
import t, { type Test } from 'tap'
import { mountDashboard } from '../../lib/hosts/nest.ts'
import { hostContract, type Mount } from '../contracts/host.ts'

class AppModule {}
Module({})(AppModule)

hostContract(t, 'Nest on Express', {
  knowsSocket: true,
  async start(t, mounts) {
    return start(t, await createOnExpress(), mounts)
  },
  async startParsing(t, mounts) {
    const app = await createOnExpress()
    app.use(express.json({ limit: '5mb' }))
    // Nest has its own logger and configuration.
    return start(
      t, app, mounts.map(({ options: { logger: _logger, configure: _configure, ...options }, ...mount }) => ({ ...mount, options }))
    )
  }
})

hostContract(t, 'Nest on Fastify', {
  knowsSocket: true,
  malformed: 400,
  async start(t, mounts) {
    const app = await NestFactory.create<INestApplication>(
      AppModule, new FastifyAdapter({ forceCloseConnections: true }), { logger: false }
    )
    for (const { prefix, options: { configure } } of mounts) {
      const fastify = app.getHttpAdapter().getInstance() as { register(plugin: unknown, options: object): unknown }
      if (configure) await fastify.register(async (scope: Parameters<typeof configure>[0]) => { await configure(scope) }, { prefix })
    }
    // Nest has its own logger and configuration.
    return start(
      t, app, mounts.map(({ options: { logger: _logger, configure: _configure, ...options }, ...mount }) => ({ ...mount, options }))
    )
  }
})

function createOnExpress(): Promise<INestApplication> {
  return NestFactory.create(AppModule, new ExpressAdapter(), { logger: false, forceCloseConnections: true })
}

async function start(t: Test, app: INestApplication, mounts: readonly Mount[]): Promise<string> {
  t.teardown(() => app.close())
  for (const { prefix, queueApp, options } of mounts) await mountDashboard(app, queueApp, { ...options, prefix })
  await app.listen(0, '127.0.0.1')
  return app.getUrl()
}
