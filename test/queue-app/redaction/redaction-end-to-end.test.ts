import t from 'tap'
import { currentExecution, QueueApp } from '../../../lib/index.ts'
import { dumpPostgres, dumpRedis } from '../../support/servers/dump-store.ts'
import { postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const PASSWORD = 'Hunter22-Password'
const EMAIL = 'ana.secret@example.com'
const CARD = 4111222233334444
const SECRETS = [PASSWORD, EMAIL, String(CARD)]
/** Texts beside the secrets that must be found, because a search that finds nothing at all would prove nothing. */
const MARKERS = ['marker-args', 'marker-result', 'marker-message', 'marker-log', 'marker-progress', 'marker-schedule']

const TIMING = { cron: '0 0 1 1 *', timezone: 'UTC' }

const stores = {
  redis: { url: redisUrl, dump: dumpRedis },
  postgres: { url: postgresUrl, dump: dumpPostgres }
}

for (const [kind, { url, dump }] of Object.entries(stores)) {
  t.test(`a result backend on ${kind} contains no secrets`, async t => {
    const [broker, backend] = [await url(t), await url(t)]
    const errors: Error[] = []
    const work = async ({ password, card }: Credentials, email: string, isFailing: boolean) => {
      await currentExecution().log(`marker-log ${password} ${email}\n${card.number}`)
      await currentExecution().log('x'.repeat(9_985) + password)
      await currentExecution().progress({ 'marker-progress': [password, email, card.number] })
      if (isFailing)
        throw Object.assign(
          new Error(`marker-message ${password} for ${email}`, { cause: new Error(password) }), { password, name: `Card_${card.number}` }
        )
      return { 'marker-result': { password, email, card, session: 'of no argument' } }
    }
    const start = async () => {
      const queueApp = QueueApp.fromUrls({
        broker, backend, onError: error => errors.push(error),
        redact: {
          paths: ['args.password', 'args.card.number', 'result.**.session'],
          with: (_field, value) => JSON.parse(JSON.stringify(value).replaceAll(EMAIL, '…@example.com')) as unknown
        }
      })
      queueApp.task('work', work, { retries: 2, retryDelay: 0.05 })
      t.teardown(() => queueApp.stop())
      await queueApp.start()
      return queueApp
    }

    const args = [{ password: PASSWORD, card: { number: CARD }, note: 'marker-args' }, EMAIL, false] as const
    const earlier = await start()
    const secret = await earlier.operations.createSchedule({ taskName: 'work', timing: TIMING, args })
    await earlier.operations.createSchedule({ taskName: 'work', timing: TIMING, args: ['marker-schedule'] })
    await earlier.stop()
    // Schedules are copied at the start, and then every 30 s.
    const queueApp = await start()
    const ids = [await queueApp.enqueue('work', args), await queueApp.enqueue('work', [args[0], EMAIL, true])]
    ids.push(await queueApp.operations.runSchedule(secret.scheduleId))
    const found = await waitFor('the records', async () => {
      const read = await Promise.all(ids.map(id => queueApp.monitoring.execution(id)))
      return read.every(execution => execution?.finishedAt) && read[1]!.attempts.length >= 3 && read
    })
    t.match(found.map(execution => execution!.status), ['success', 'failed', 'success'])
    t.equal(found[1]!.attempts.length, 3)
    await waitFor('the copy of the other schedule', async () => (await dump(backend)).includes('marker-schedule'))
    const scheduler = await waitFor('the convergence that copied it to end', async () => {
      const { components } = await queueApp.monitoring.health()
      return /^\d/.test(components.scheduler.message) && components.scheduler
    })
    t.match(scheduler, {
      healthy: true, message: '2 schedules, 1 of them without a copy in the result backend, because redaction hides their arguments'
    })
    const brought = JSON.stringify(await queueApp.monitoring.executions({ search: 'marker' }))
    await queueApp.stop()

    const kept = await dump(backend)
    for (const marker of MARKERS) t.ok(kept.includes(marker), `${marker} is found`)
    t.ok(kept.includes('[redacted]'))
    for (const secret of [...SECRETS, 'of no argument', PASSWORD.slice(0, -2)]) for (const text of [secret, secret.toLowerCase()]) {
      t.notOk(kept.includes(text), `${text} is not in the result backend`)
      t.notOk(brought.includes(text), `${text} is not in a list`)
    }
    for (const secret of SECRETS) t.ok((await dump(broker)).includes(secret), `${secret} is in the broker, which needs it to run`)
    t.same(errors, [])
  })
}

interface Credentials {
  readonly password: string
  readonly card: { readonly number: number }
}
