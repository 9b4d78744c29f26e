import t from 'tap'
import { createTaskDashboardError, type ErrorCode } from '../../lib/errors.ts'
import { openStore } from '../../lib/stores/open-store.ts'
import { blockProcess } from '../support/block-process.ts'

const errorOf = (code: ErrorCode) => createTaskDashboardError(code, ['broker', 'redis://localhost', 'no answer in time'])

/** How often a store is opened that fails each time, after the process was blocked for this long. */
async function attemptsWhen(
  blockedMs: number, { code = 'STORE_UNREACHABLE', isStopped = false }: { code?: ErrorCode, isStopped?: boolean } = {}
): Promise<number> {
  let attempts = 0
  const open = async () => {
    attempts++
    blockProcess(blockedMs)
    throw errorOf(code)
  }
  await openStore(open, () => isStopped).catch((error: unknown) => { t.match(error, { code }) })
  return attempts
}

t.test('opening a store is tried three times if the process was blocked each time', async t => {
  t.equal(await attemptsWhen(1_200), 3)
})

t.test('it is tried once if the process was not blocked, the server refused, or the store was stopped', async t => {
  t.equal(await attemptsWhen(0), 1)
  t.equal(await attemptsWhen(1_200, { code: 'STORE_UNSUITABLE' }), 1)
  t.equal(await attemptsWhen(1_200, { isStopped: true }), 1)
})

t.test('it ends with the first attempt that succeeds', async t => {
  let attempts = 0
  const result = await openStore(async () => {
    blockProcess(1_200)
    if (++attempts === 1) throw errorOf('STORE_UNREACHABLE')
    return 'connected'
  }, () => false)
  t.equal(result, 'connected')
  t.equal(attempts, 2)
})
