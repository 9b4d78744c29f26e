import t from 'tap'
import { toApiDocument } from '../../../lib/scheduler/definitions/schedule-document.ts'
import { toScheduleDefinition } from '../../../lib/scheduler/definitions/schedule-input.ts'
import { createScheduleStore } from '../../../lib/scheduler/definitions/schedule-store.ts'
import { createRunLedger } from '../../../lib/scheduler/runs/run-ledger.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { waitFor } from '../../support/wait-for.ts'

const MINUTE = 60_000
const BEGAN = Date.UTC(2030, 0)

/** A schedule due every minute, and how a process with its own documents records a run of it. */
async function openBooks(documents: DocumentStore, ofProcess: DocumentStore = documents) {
  const store = createScheduleStore(documents)
  const definition = toScheduleDefinition({ taskName: 'report', timing: { intervalMs: MINUTE, timezone: 'UTC' } })
  const schedule = (await store.change('sch_1', () => toApiDocument(definition, BEGAN)))!
  const own = createRunLedger(ofProcess, createScheduleStore(ofProcess), () => BEGAN)
  const ledger = createRunLedger(documents, store, () => BEGAN)
  const books = () => ledger.read('sch_1')
  return {
    isInBooks: async (minute: number) => ledger.hasRun(schedule, await books(), BEGAN + minute * MINUTE),
    async start(minute: number, isLate = false): Promise<void> {
      const outcome = isLate ? { late: 'busy', lateMs: MINUTE } as const : 'run'
      await own.account(schedule, { executionId: `run ${minute}`, dueAt: BEGAN + minute * MINUTE, outcome }, () => 'busy', await books())
    },
    async told() {
      const { missed: [missed], late: [late] } = await store.missedAndLate(['sch_1'])
      const minuteOf = (at: number) => (at - BEGAN) / MINUTE
      const entries = (await ledger.list('sch_1')).map(({ kind, firstDueAt, lastDueAt, count }) =>
        [kind, minuteOf(firstDueAt), minuteOf(lastDueAt), count])
      return { missed, late, entries }
    }
  }
}

t.test('a process killed just after writing the ledger has also counted what it wrote', async t => {
  const documents = createMemoryDocuments()
  let isDead = false
  const dying = new Proxy(documents, {
    get: (target, name: keyof DocumentStore) => async (...args: unknown[]) => {
      if (isDead) return await new Promise(() => {})
      const answer = await (target[name] as (...args: unknown[]) => Promise<unknown>)(...args)
      isDead = args[0] === 'schedule-ledgers' && name === 'put'
      return isDead ? await new Promise(() => {}) : answer
    }
  })
  const { start, told, isInBooks } = await openBooks(documents, dying)
  void start(4, true)
  await waitFor('the counts to be written', async () => isDead)
  t.ok(await isInBooks(4), 'whoever resumes the run writes nothing more')
  t.strictSame(await told(), { missed: 3, late: 1, entries: [['late', 4, 4, 1], ['missed', 1, 3, 3]] })
})

t.test('a run that starts late and is resumed leaves missed runs around it unchanged', async t => {
  const { start, told, isInBooks } = await openBooks(createMemoryDocuments())
  await start(1)
  await start(5)
  t.strictSame(await told(), { missed: 3, late: 0, entries: [['missed', 2, 4, 3]] })
  t.notOk(await isInBooks(3))
  await start(3, true)
  t.strictSame(await told(), { missed: 2, late: 1, entries: [['late', 3, 3, 1], ['missed', 2, 4, 2]] })
  t.ok(await isInBooks(3), 'a resumed run need not be recorded')
  t.notOk(await isInBooks(2))
  // A process that lost the race records it anyway.
  await start(3)
  t.match(await told(), { missed: 2 })
  await start(2)
  await start(4)
  t.strictSame(await told(), { missed: 0, late: 1, entries: [['late', 3, 3, 1]] })
})

t.test('two processes that move a schedule to another id at once count its missed runs once', async t => {
  const documents = createMemoryDocuments()
  const store = createScheduleStore(documents)
  await store.addMissed('from', 4)
  const first = createRunLedger(documents, store, () => BEGAN)
  let isMoved = false
  // The second process reads the counters before the first has moved them, and the ledger of the new id after that.
  const slow: DocumentStore = {
    ...documents,
    async get<T>(collection: string, id: string) {
      if (id === 'to' && !isMoved) {
        await first.move('from', 'to')
        isMoved = true
      }
      return documents.get<T>(collection, id)
    }
  }
  await createRunLedger(slow, createScheduleStore(slow), () => BEGAN).move('from', 'to')
  t.ok(isMoved)
  t.strictSame((await store.missedAndLate(['from', 'to'])).missed, [0, 4])
})
