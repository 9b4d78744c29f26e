import express from 'express'
import type { AddressInfo } from 'node:net'
import { createBlueprint } from '../../lib/hosts/express.ts'
import { PORT, startQueueApp, untilStopped } from '../queue-app.ts'

const queueApp = await startQueueApp()
// Only your own machine. In production, use auth or authorize: docs/access.md
const dashboard = createBlueprint(queueApp, { access: 'local' })
const app = express()
app.use(express.json())
app.use('/tasks', dashboard)
app.get('/', (_request, response) => { response.redirect('/tasks') })

const server = app.listen(PORT, '127.0.0.1', () => {
  untilStopped((server.address() as AddressInfo).port, async () => {
    server.close()
    await dashboard.close()
    await queueApp.stop()
  })
})
