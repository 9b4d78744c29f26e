import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import openapiTS, { astToString } from 'openapi-typescript'
import t from 'tap'
import { dashboardPlugin } from '../../lib/dashboard/plugin.ts'
import { EXECUTION_IDS, TASK_NAMES, sampleQueueApp } from '../dashboard/sample-queue-app.ts'
import { runPlainly } from '../support/programs/packed-package.ts'
import { PROJECT } from '../support/source-files.ts'
import { isSoak } from '../support/soak.ts'

// Generating and compiling clients takes long.
t.setTimeout(600_000)

const folder = await mkdtemp(join(tmpdir(), 'tasks-clients-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const fastify = Fastify()
t.teardown(() => fastify.close())
await fastify.register(dashboardPlugin, { prefix: '/ops/tasks', queueApp: sampleQueueApp(), access: 'host' })
const baseUrl = `${await fastify.listen({ port: 0, host: '127.0.0.1' })}/ops/tasks`
const document = join(PROJECT, 'docs/openapi.json')

t.test("clients generated from docs/openapi.json by common generators compile and accept the dashboard's responses", async t => {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'client', private: true, type: 'module' }))
  // The generated files and the program import from here.
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'orval.config.mjs'), `export default {
    tasks: {
      input: ${JSON.stringify(document)},
      output: { target: './orval/index.ts', client: 'fetch', baseUrl: ${JSON.stringify(baseUrl)} }
    },
    schemas: { input: ${JSON.stringify(document)}, output: { target: './orval-zod/index.ts', client: 'zod' } }
  }`)
  await writeFile(join(folder, 'hey.config.mjs'), `export default {
    input: ${JSON.stringify(document)}, output: 'hey', plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod']
  }`)
  await writeFile(join(folder, 'paths.ts'), astToString(await openapiTS(await readFile(document, 'utf8'))))
  await generate('orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs')
  await generate('@hey-api/openapi-ts/bin/run.js', '-f', 'hey.config.mjs')
  await writeFile(join(folder, 'program.ts'), PROGRAM)

  for (const compiler of isSoak ? ['typescript7', 'typescript'] : ['typescript7']) {
    const compiled = await runPlainly(
      folder, process.execPath, join(PROJECT, 'node_modules', compiler, 'bin/tsc'), '--module', 'esnext', '--moduleResolution', 'bundler',
      '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable',
      '--strict', '--skipLibCheck', '--noEmit', '--types', 'node', 'program.ts'
    ).catch((error: { stdout: string }) => error)
    t.equal(compiled.stdout, '', compiler)
  }

  const { stdout } = await runPlainly(folder, process.execPath, '--import', 'tsx', 'program.ts', baseUrl)
  const names = [...TASK_NAMES].sort()
  t.match(JSON.parse(stdout), {
    openapiTypescript: { total_tasks: 1000 },
    orval: { names, code: 'TASK_NOT_FOUND' },
    orvalZod: { names, execution: EXECUTION_IDS[2] },
    hey: { names, code: 'TASK_NOT_FOUND' },
    heyZod: { names, execution: EXECUTION_IDS[2] }
  })
})

async function generate(bin: string, ...args: string[]): Promise<void> {
  await runPlainly(folder, process.execPath, join(PROJECT, 'node_modules', bin), ...args)
}

const PROGRAM = `
import createClient from 'openapi-fetch'
import { client } from './hey/client.gen'
import * as hey from './hey/sdk.gen'
import { zGetExecutionResponse, zListTasksResponse } from './hey/zod.gen'
import * as orval from './orval/index'
import { GetExecutionResponse, ListTasksResponse } from './orval-zod/index'
import type { paths } from './paths'

const baseUrl = process.argv[2]!
const execution = 'x'.repeat(200)
const sorted = (tasks: Array<{ name: string }>): string[] => tasks.map(task => task.name).sort()

const stats = await createClient<paths>({ baseUrl }).GET('/api/stats')
const count: number | undefined = stats.data?.total_tasks
// @ts-expect-error no such endpoint
void createClient<paths>({ baseUrl }).GET('/api/statistics').catch(() => {})

const tasks = await orval.listTasks()
const unknown = await orval.getTask('none')
const code: string = unknown.status === 404 ? unknown.data.code : ''

client.setConfig({ baseUrl })
const heyTasks = await hey.listTasks()
const heyUnknown = await hey.getTask({ path: { name: 'none' } })
const heyCode: string | undefined = heyUnknown.error?.code
const heyExecution = await hey.getExecution({ path: { id: execution } })

console.log(JSON.stringify({
  openapiTypescript: { total_tasks: count },
  orval: { names: tasks.status === 200 ? sorted(tasks.data) : [], code },
  orvalZod: {
    names: sorted(ListTasksResponse.parse(heyTasks.data)),
    execution: GetExecutionResponse.parse(heyExecution.data).execution_id
  },
  hey: { names: sorted(heyTasks.data ?? []), code: heyCode },
  heyZod: { names: sorted(zListTasksResponse.parse(heyTasks.data)), execution: zGetExecutionResponse.parse(heyExecution.data).execution_id }
}))
`
