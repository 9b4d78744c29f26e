import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Execution } from '../../schemas/execution.ts'
import { createReaderProject } from '../support/programs/snippets.ts'
import { openQueue, startOwnersWorker } from '../support/programs/owners-of-queues.ts'
import { runProgram, type Program } from '../support/programs/run-program.ts'
import { startRedis } from '../support/servers/stores.ts'
import { readText } from '../support/source-files.ts'
import { waitFor } from '../support/wait-for.ts'

// Each program loads a framework, and two of them bull-board, on a busy machine.
t.setTimeout(300_000)

const GUIDE = 'docs/migrating-from-bull-board.md'
const HEADERS = { authorization: `Basic ${btoa('operator:secret')}` }
const END = `process.once('SIGTERM', () => process.exit())`

/** The code that the reader has around a block of the guide. */
type Around = (block: string) => string

const QUEUE = `
import { Queue } from 'bullmq'
const connection = { host: 'localhost', port: 6379 }
const auth = { username: 'operator', password: 'secret' }
const emailQueue = new Queue('emails', { connection })`

const nest = (modules: string, mount: string): string => `
import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { BullModule } from '@nestjs/bullmq'
const auth = { username: 'operator', password: 'secret' }
${modules}
class AppModule {}
Module({
  imports: [
    BullModule.forRoot({ connection: { host: 'localhost', port: 6379 } }), BullModule.registerQueue({ name: 'emails' }),
    ...(typeof boardModules === 'undefined' ? [] : boardModules)
  ]
})(AppModule)
const app = await NestFactory.create(AppModule, { logger: false })
${mount}
await app.listen(3000)
${END}`

const express = (block: string, end: string): string => `
import express from 'express'
${QUEUE}
const app = express()
${block}
await new Promise(resolve => app.listen(3000, resolve))
${end}`

const HOSTS: Readonly<Record<string, { before: Around; after: Around }>> = {
  Fastify: same(block => `
import Fastify from 'fastify'
${QUEUE}
const app = Fastify()
${block}
await app.listen({ port: 3000 })
${END}`),
  Express: { before: block => express(block, END), after: block => express(block, '') },
  Nest: { before: block => nest(block, ''), after: block => nest('', block) }
}

function same(around: Around): { before: Around; after: Around } {
  return { before: around, after: around }
}

const project = await createReaderProject([])
t.teardown(project.remove)

for (const [host, { before, after }] of Object.entries(HOSTS)) {
  t.test(`${host}: the board in the guide runs, and the dashboard that replaces it shows the same queue and its history`, async t => {
    const [board, dashboard] = blocksOf(host) as [string, string]
    const redis = await startRedis(t, { persistent: false })
    const queue = openQueue(t, 6, 'emails', redis.url, { defaultJobOptions: { removeOnComplete: true } })
    const worker = startOwnersWorker(t, 6, 'emails', redis.url)
    await queue.add('send', { to: 'ada' })
    await queue.add('send', { to: 'ben', fail: true })
    await waitFor('the worker', async () => worker.outcomes.length === 2)

    const { address: old } = await run(t, `${host}-before`, before(board), redis.port)
    t.match(await (await fetch(`${old}/queues/`)).text(), /Bull Dashboard/)
    const { queues } = await (await fetch(`${old}/queues/api/queues?activeQueue=emails&page=1&jobsPerPage=10`)).json() as {
      queues: Array<{ name: string; counts: Record<string, number> }>
    }
    t.match(queues, [{ name: 'emails', counts: { failed: 1, completed: 0 } }], 'the board only has what BullMQ still holds')

    const { address, stop } = await run(t, `${host}-after`, after(dashboard), redis.port)
    t.equal((await fetch(`${address}/queues/api/tasks`)).status, 401, 'it asks who you are')
    t.match(await (await fetch(`${address}/queues`, { headers: HEADERS })).text(), /<script/)
    const executions = async (): Promise<Execution[]> =>
      (await ask(`${address}/queues/api/executions?task_name=emails`) as { items: Execution[] }).items
    const found = await waitFor('the history', async () => {
      const items = await executions()
      return items.length === 2 && items
    })
    t.same(found.map(({ status }) => status).toSorted(), ['failed', 'success'])
    t.match(await stop(), { code: 0, signal: null }, 'SIGTERM ends it')
  })
}

/** The two code blocks under a heading: before and after the migration. */
function blocksOf(heading: string): string[] {
  const section = readText(GUIDE).split(/^## /m).find(part => part.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^```js\n([^]*?)^```$/gm)].map(match => match[1]!)
}

/** @returns the address on which it listens, and how to end it */
async function run(t: Test, name: string, program: string, redisPort: number): Promise<Pick<Program, 'stop'> & { address: string }> {
  const file = join(project.folder, `${name}.js`)
  await writeFile(file, program)
  const { address, stop } = await runProgram(t, file, ['ran'], { EXAMPLE_REDIS_PORT: String(redisPort) })
  if (address === null) throw new Error(`${name} does not listen: ${(await stop()).stderr}`)
  return { address, stop }
}

async function ask(address: string): Promise<unknown> {
  return (await fetch(address, { headers: HEADERS })).json()
}
