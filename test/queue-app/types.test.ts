import t from 'tap'
import { QueueApp, type Task } from '../../lib/index.ts'

/** Never called: the compiler is the test. An error that is not there fails `npm run typecheck`. */
export async function checkedAtCompileTime(): Promise<void> {
  const queueApp = QueueApp.fromUrls()
  const send = queueApp.task('email:send', async (to: string, subject?: string) => ({ to, subject }))
  const sync = queueApp.task('sync', () => 7)
  const report = queueApp.task<[index: number], string>('report', new URL('./report.js', import.meta.url), { type: 'cpu' })
  const typed: Task<[to: string, subject?: string], { to: string; subject: string | undefined }> = send

  await queueApp.enqueue(typed, ['ana@example.com'])
  await queueApp.enqueue(send, ['ana@example.com', 'Hello'], { priority: 1 })
  await queueApp.enqueue(sync)
  await queueApp.enqueue(report, [1])
  await queueApp.enqueue('any name', ['any', 'argument'])
  await queueApp.enqueueMany(send, [['a'], ['b', 'Hello']])
  // @ts-expect-error the first argument is a string
  await queueApp.enqueue(send, [7])
  // @ts-expect-error an argument is missing
  await queueApp.enqueue(send, [])
  // @ts-expect-error the arguments are missing
  await queueApp.enqueue(send)
  // @ts-expect-error one argument too many
  await queueApp.enqueue(send, ['a', 'b', 'c'])
  // @ts-expect-error the module takes a number
  await queueApp.enqueue(report, ['1'])
  // @ts-expect-error not an option
  await queueApp.enqueue(sync, [], { delay: 5 })
  // @ts-expect-error one of many is wrong
  await queueApp.enqueueMany(send, [['a'], [7]])

  const mapped = QueueApp.fromUrls<{ 'email:send': (to: string, subject: string) => Promise<void>; sync: () => number }>()
  const mappedSend = mapped.task('email:send', async (to, subject) => { await Promise.all([to.trim(), subject.trim()]) })
  mapped.task('sync', () => 7)
  await mapped.enqueue('email:send', ['ana@example.com', 'Hello'])
  await mapped.enqueue(mappedSend, ['ana@example.com', 'Hello'])
  await mapped.enqueue('sync')
  // @ts-expect-error no such task
  await mapped.enqueue('email:sent', ['ana@example.com', 'Hello'])
  // @ts-expect-error wrong argument by name
  await mapped.enqueue('email:send', ['ana@example.com', 7])
  // @ts-expect-error missing argument by name
  await mapped.enqueue('email:send', ['ana@example.com'])
  // @ts-expect-error the handler does not fit the declared signature
  mapped.task('email:send', async (to: number) => { to.toFixed() })
  // @ts-expect-error no such task to register
  mapped.task('nothing', async () => {})

  const outcome = await queueApp.result<{ to: string }>('id', { waitMs: 10 })
  const to: string | undefined = outcome?.result?.to
  // @ts-expect-error a result may be missing
  const sure: string = outcome.result.to
  await Promise.all([to, sure])
}

t.test('wrong arguments are refused by the compiler', async t => {
  t.type(checkedAtCompileTime, 'function')
})
