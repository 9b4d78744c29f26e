import t from 'tap'
import { createJobStories, type ToldFinish } from '../../../../lib/engine/observing/events/job-stories.ts'
import type { ObservedServer } from '../../../../lib/engine/observing/observed-server.ts'
import type { FinishedExecution } from '../../../../lib/execution.ts'
import { createNotedFinishes } from '../../../../lib/queue-app/observing/noted-finishes.ts'
import { createFinishRecorder } from '../../../../lib/queue-app/observing/finishes/record-finishes.ts'
import { createSavedProgress } from '../../../../lib/queue-app/observing/saved-progress.ts'
import { createEventFinishes } from '../../../../lib/queue-app/observing/event-finishes.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'
import { turnIn } from '../turn-in.ts'

const SERVER = {} as ObservedServer

const finishOf = (jobId: string, at: number): ToldFinish => createJobStories().tell(
  { taskName: 'emails', name: 'emails' }, { id: `${at}-0`, fields: { event: 'completed', jobId, returnvalue: '1' } }
)!

/** A history that refuses some executions for ever. */
function recorderWith(refuses: (execution: FinishedExecution) => boolean) {
  const recorded = new Map<string, FinishedExecution>()
  const errors: string[] = []
  const documents = createMemoryDocuments()
  const turn = turnIn(documents)
  const recorder = createFinishRecorder({
    discovery: { queueOf: () => undefined },
    backend: {
      async record(executions) {
        if (executions.some(refuses)) throw new Error('a value that the store refuses')
        for (const execution of executions) recorded.set(execution.executionId, execution)
        return executions.length
      },
      missing: async ids => ids.filter(id => !recorded.has(id)),
      list: async () => ({ executions: [], next: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }),
      kept: async () => ({ prunedBefore: null } as never)
    },
    noted: createNotedFinishes(), ofEvents: createEventFinishes(), turn, progress: createSavedProgress(documents, turn.fence),
    recorded: execution => execution, replayUntil: () => 0, isAway: () => false,
    fail: (_server, error) => { throw error }, isStopped: () => false, onError: error => { errors.push(error.message) }
  })
  return { recorder, recorded, errors }
}

t.test('a record that the backend always refuses is skipped and reported', async t => {
  const { recorder, recorded, errors } = recorderWith(({ executionId }) => executionId.startsWith('emails:7@'))
  for (let job = 0; job < 120; job++) recorder.add(SERVER, finishOf(String(job), 1_000 + job))
  await recorder.record()
  t.equal(recorded.size, 119, 'its neighbours are recorded')
  t.equal(recorder.waiting(), 0)
  t.match(errors, [/refuses 1 execution and takes others.*emails:7@/])
  t.match(recorder.problems()[0], /refused 1 execution while it took others.*: emails:7@.* \(a value that the store refuses\)/)
  recorder.add(SERVER, finishOf('200', 2_000))
  await recorder.record()
  t.ok([...recorded.keys()].some(id => id.startsWith('emails:200@')), 'and later ones too')
})

t.test('while the backend refuses every record, all of them wait', async t => {
  let isFull = true
  const { recorder, recorded, errors } = recorderWith(() => isFull)
  for (let job = 0; job < 60; job++) recorder.add(SERVER, finishOf(String(job), 1_000 + job))
  await t.rejects(recorder.record(), /a value that the store refuses/)
  t.equal(recorder.waiting(), 60)
  isFull = false
  await recorder.record()
  t.equal(recorded.size, 60)
  t.same(errors, [])
  t.same(recorder.problems(), [])
})

t.test('a refused record waits until another one is accepted', async t => {
  const { recorder, recorded } = recorderWith(({ executionId }) => executionId.startsWith('emails:7@'))
  recorder.add(SERVER, finishOf('7', 1_000))
  await t.rejects(recorder.record())
  t.equal(recorder.waiting(), 1)
  recorder.add(SERVER, finishOf('8', 1_001))
  await recorder.record()
  t.equal(recorder.waiting(), 0)
  t.same([...recorded.keys()], ['emails:8@1001-0'])
})
