/**
 * Hostile cron expressions, and 5,000 schedules on Redis: a week's agenda, the list and its first page over HTTP, and convergence in a new
 * process. Run: npm run bench schedules [schedules]
 */
import Fastify from 'fastify'
import { dashboardPlugin, QueueApp } from '../lib/index.ts'
import { nextCronRuns, parseCron } from '../lib/scheduler/timing/cron.ts'
import { planAgenda, type AgendaSchedule } from '../lib/scheduler/timing/agenda.ts'
import { HOSTILE_CRONS } from '../test/scheduler/timing/hostile-crons.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'

const SCHEDULES = Number(process.argv[2] ?? 5000)
const TASKS = 20
const HOUR_MS = 3_600_000
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']

const cronOf = (index: number) =>
  index % 5 === 0 ? `*/${1 + index % 30} * * * *` : `${index % 60} ${Math.floor(index / 60) % 24} * * ${index % 3 === 0 ? '1-5' : '*'}`

for (const [name, from] of [['a week', '2026-11-16T00:00Z'], ['a week in which the clocks change', '2026-10-22T00:00Z']] as const) {
  const schedules: AgendaSchedule[] = Array.from({ length: SCHEDULES }, (_, index) => ({
    scheduleId: `sch_${index}`, taskName: 'x', description: null, startAt: null, endAt: null,
    timing: index % 4 === 0
      ? { intervalMs: 60_000 + index * 1000, timezone: 'UTC', anchorAt: 0 }
      : { cron: cronOf(index), timezone: ZONES[index % ZONES.length]! }
  }))
  await report(`agenda of ${name}, ${SCHEDULES} schedules`, async () =>
    planAgenda(schedules, Date.parse(from), Date.parse(from) + 168 * HOUR_MS))
}

for (const expression of HOSTILE_CRONS) hostile(expression)
const [slowest] = HOSTILE_CRONS.map(hostile).sort((one, other) => other.ms - one.ms)
console.log(
  `the slowest of ${HOSTILE_CRONS.length} hostile expressions, refused or with its next run: ${slowest!.ms.toFixed(2)} ms, ` +
    `${(slowest!.bytes / 1e6).toFixed(1)} MB`
)

const server = await createRedisServer({ persistent: false })
const open = async () => {
  const queueApp = QueueApp.fromUrls({ broker: server.url })
  for (let task = 0; task < TASKS; task++) queueApp.task(`task ${task}`, () => {})
  return queueApp
}
const queueApp = await open()
const scheduler = queueApp.createScheduler()
await queueApp.start()
const begun = performance.now()
for (let index = 0; index < SCHEDULES; index++)
  await scheduler.scheduleCron(`task ${index % TASKS}`, cronOf(index), `Schedule ${index}`, { id: `s${index}`, enabled: index % 10 !== 0 })
console.log(`declared ${SCHEDULES} schedules, one after the other: ${Math.round(performance.now() - begun)} ms`)

const app = Fastify()
await app.register(dashboardPlugin, { prefix: '/tasks', queueApp })
const get = async (path: string) => {
  // Responses are shared for a second; waiting makes each one new.
  await new Promise(resolve => setTimeout(resolve, 1100))
  return async () => {
    const answer = await app.inject(`/tasks/api/schedules${path}`)
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }
}
await report('records of all schedules, in the process', () => queueApp.monitoring.schedules())
for (const path of ['?limit=50', '?limit=1000', '?search=4999&limit=50', '/agenda'])
  await reportOnce(`GET /api/schedules${path}`, () => get(path))
const some = (await queueApp.monitoring.schedules())[1]!
await report('disable and enable', async () => {
  await queueApp.operations.setScheduleEnabled(some.scheduleId, false)
  await queueApp.operations.setScheduleEnabled(some.scheduleId, true)
})
await app.close()
await queueApp.stop()

const again = await open()
const restarted = performance.now()
await again.start()
console.log(`a process starts in ${Math.round(performance.now() - restarted)} ms with ${SCHEDULES} schedules`)
for (;;) {
  const { components } = await again.monitoring.health()
  if (components.scheduler.message.startsWith(String(SCHEDULES))) break
  await new Promise(resolve => setTimeout(resolve, 20))
}
console.log(`and has converged after ${Math.round(performance.now() - restarted)} ms`)
await again.stop()
await server.remove()

function hostile(expression: string): { ms: number; bytes: number } {
  const [started, memory] = [performance.now(), process.memoryUsage().heapUsed]
  try {
    nextCronRuns(parseCron(expression, 'UTC'), 0, 1)
  } catch { /* refused */ }
  return { ms: performance.now() - started, bytes: process.memoryUsage().heapUsed - memory }
}

async function report(what: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < 7; round++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  times.sort((one, other) => one - other)
  console.log(`${what}: median ${times[3]!.toFixed(1)} ms, worst ${times[6]!.toFixed(1)} ms`)
}

async function reportOnce(what: string, prepare: () => Promise<() => Promise<void>>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const work = await prepare()
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  times.sort((one, other) => one - other)
  console.log(`${what}: median ${times[2]!.toFixed(1)} ms, worst ${times[4]!.toFixed(1)} ms`)
}
