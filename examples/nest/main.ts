import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { AddressInfo, Server } from 'node:net'
import { mountDashboard } from '../../lib/hosts/nest.ts'
import { PORT, startQueueApp, untilStopped } from '../queue-app.ts'

class AppModule {}
// Equivalent to @Module({ … }), but without decorators.
Module({ controllers: [], providers: [] })(AppModule)

const queueApp = await startQueueApp()
// Otherwise `close()` waits for connections that a browser has opened and does not use.
const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'], forceCloseConnections: true })
// Only your own machine. In production, use auth or authorize: docs/access.md
await mountDashboard(app, queueApp, { prefix: '/tasks', access: 'local' })

await app.listen(PORT, '127.0.0.1')
untilStopped(((app.getHttpServer() as Server).address() as AddressInfo).port, async () => {
  await app.close()
  await queueApp.stop()
})
