import {
  QueueApp, type CodeScheduleOptions, type ExecutionId, type ExecutionResult, type Scheduler, type Task, type TaskArgs,
  type TaskDeclarations, type TaskName, type TaskResult
} from '../../../lib/index.ts'

// None of this is ever called: the compiler is the test. An expected error that is missing fails `npm run lint`. The same program is
// compiled against the packed types, so it imports only the public API.

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

/** Only compiles if both are the same type. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends (<T>() => T extends Other ? 1 : 2) ? true : false
function same<One, Other>(..._: Same<One, Other> extends true ? [] : [never]): void {}
function exactly<Expected>() {
  return <Actual>(_value: Actual, ..._: Same<Actual, Expected> extends true ? [] : [never]): void => {}
}

interface Tasks {
  'email:send'(to: string, subject: string): Promise<{ messageId: string }>
  'email:digest'(to: string, days?: number): { sent: number }
  sum(...numbers: readonly number[]): number
  'tag:add': (id: number, ...tags: string[]) => Promise<void>
  sync(): void
  mode(): 'sync' | 'sum'
}

/** An interface is a map of tasks, and so is the type of the handlers. */
export async function sharedDefinitions(): Promise<void> {
  const queueApp = QueueApp.fromUrls<Tasks>({ broker: 'redis://localhost:6379/0' })

  const sent = await queueApp.enqueue('email:send', ['ana@example.com', 'Hello'])
  exactly<ExecutionId<{ messageId: string }>>()(sent)
  const text: string = sent
  const outcome = await queueApp.result(sent)
  exactly<ExecutionResult<{ messageId: string }> | null>()(outcome)
  await queueApp.enqueue('email:digest', ['ana@example.com'])
  await queueApp.enqueue('email:digest', ['ana@example.com', 7], { priority: 1 })
  await queueApp.enqueue('sum')
  await queueApp.enqueue('sum', [1, 2, 3])
  await queueApp.enqueue('tag:add', [1, 'a', 'b'])
  const fixed = ['ana@example.com', 'Hello'] as const
  await queueApp.enqueue('email:send', fixed)
  // @ts-expect-error a misspelt name
  await queueApp.enqueue('emial:send', ['ana@example.com', 'Hello'])
  // @ts-expect-error a wrong argument
  await queueApp.enqueue('email:send', [1, 'Hello'])
  // @ts-expect-error an argument is missing
  await queueApp.enqueue('email:send', ['ana@example.com'])
  // @ts-expect-error the arguments are missing
  await queueApp.enqueue('email:send')
  // @ts-expect-error a wrong optional argument
  await queueApp.enqueue('email:digest', ['ana@example.com', '7'])
  // @ts-expect-error a wrong rest argument
  await queueApp.enqueue('tag:add', [1, 2])
  // @ts-expect-error an argument too many
  await queueApp.enqueue('sync', [1])
  // @ts-expect-error a task without a name of this map
  await queueApp.enqueue({ name: 1 }, [])

  const many = await queueApp.enqueueMany('email:send', [['a', 'b'], ['c', 'd']])
  exactly<Array<ExecutionId<{ messageId: string }>>>()(many)
  // @ts-expect-error one of many is wrong
  await queueApp.enqueueMany('email:send', [['a', 'b'], ['c']])
  // @ts-expect-error a misspelt name
  await queueApp.enqueueMany('email:sent', [])

  const nothing = await queueApp.result(await queueApp.enqueue('sync'))
  exactly<ExecutionResult<void> | null>()(nothing)
  exactly<null | undefined>()(nothing?.result)
  // A result that looks like names of other tasks is not a name.
  const mode = await queueApp.result(await queueApp.enqueue('mode'))
  exactly<ExecutionResult<'sync' | 'sum'> | null>()(mode)
  const unknownResult = await queueApp.result(text)
  exactly<ExecutionResult | null>()(unknownResult)
  const named = await queueApp.result<'email:send'>(text, { waitMs: 1000 })
  exactly<ExecutionResult<{ messageId: string }> | null>()(named)
  const explicit = await queueApp.result<{ own: true }>(text)
  exactly<ExecutionResult<{ own: true }> | null>()(explicit)
  // @ts-expect-error an id that was not awaited
  await queueApp.result(queueApp.enqueue('sync'))
  // @ts-expect-error no id
  await queueApp.result(undefined)
  // @ts-expect-error the result has no such property
  void outcome?.result?.id

  same<TaskArgs<Tasks, 'email:send'>, [to: string, subject: string]>()
  same<TaskResult<Tasks, 'email:send'>, { messageId: string }>()
}

/** The option `tasks` must have every name of the map, so that none is forgotten, and no other. */
export function declares(): void {
  interface Two { one(): void; two(): void }
  QueueApp.fromUrls<Two>({ tasks: { one: { retries: 3 }, two: {} } })
  QueueApp.fromUrls<Two>({ broker: 'embedded:' })
  QueueApp.fromUrls({ tasks: { 'any name': { retries: 3 } } }).task('other', (to: string) => to)
  // @ts-expect-error a name is missing
  QueueApp.fromUrls<Two>({ tasks: { one: {} } })
  // @ts-expect-error a misspelt name
  QueueApp.fromUrls<Two>({ tasks: { one: {}, two: {}, tow: {} } })
  // @ts-expect-error a misspelt option
  QueueApp.fromUrls<Two>({ tasks: { one: { retry: 3 }, two: {} } })
  const shared = { one: { retries: 3 }, two: {} } satisfies TaskDeclarations<Two>
  const queueApp: QueueApp<Two> = QueueApp.fromUrls({ tasks: shared })
  void queueApp
}

/** A host's own code can name every type. */
export async function wrapped<Name extends TaskName<Tasks>>(queueApp: QueueApp<Tasks>, name: Name, args: TaskArgs<Tasks, Name>) {
  const [id] = await queueApp.enqueueMany(name, [args])
  return queueApp.result<TaskResult<Tasks, Name>>(String(id), { waitMs: 1000 })
}

export function registersWhatIsDeclared(): void {
  const queueApp = QueueApp.fromUrls<Tasks>()
  const send = queueApp.task('email:send', async (to, subject) => ({ messageId: to.trim() + subject.trim() }), { retries: 3 })
  exactly<Task<[to: string, subject: string], { messageId: string }>>()(send)
  queueApp.task('email:digest', (to, days = 7) => ({ sent: to.length + days.toFixed().length }))
  queueApp.task('email:digest', async to => ({ sent: to.length }))
  queueApp.task('sum', (...numbers) => numbers.reduce((total, number) => total + number, 0))
  queueApp.task('sync', () => {})
  queueApp.task('sum', new URL('./sum.js', import.meta.url), { type: 'cpu' })
  queueApp.task('sum', new URL('./sum.js', import.meta.url))
  // @ts-expect-error a module is for a cpu task
  queueApp.task('sum', new URL('./sum.js', import.meta.url), { type: 'io' })
  // @ts-expect-error a misspelt name
  queueApp.task('email:sent', async () => {})
  // @ts-expect-error another result
  queueApp.task('email:send', async () => ({ id: 'a' }))
  // @ts-expect-error another argument
  queueApp.task('email:send', async (to: number) => ({ messageId: to.toFixed() }))
  // @ts-expect-error more arguments than are enqueued
  queueApp.task('sync', (required: string) => { required.trim() })
  // @ts-expect-error a misspelt option
  queueApp.task('sync', () => {}, { retry: 3 })
  interface Dated { remind(at: Date): void }
  // @ts-expect-error JSON turns a Date into text
  QueueApp.fromUrls<Dated>()
}

const handlers = {
  greet: async (name: string, times = 1) => `Hello ${name}`.repeat(times),
  ping: () => {}
}

/** The type of the handlers is a map too. */
export async function mapOfHandlers(): Promise<void> {
  const queueApp = QueueApp.fromUrls<typeof handlers>()
  queueApp.task('greet', handlers.greet)
  const outcome = await queueApp.result(await queueApp.enqueue('greet', ['Ana']))
  exactly<ExecutionResult<string> | null>()(outcome)
  await queueApp.enqueue('greet', ['Ana', 2])
  // @ts-expect-error wrong argument
  await queueApp.enqueue('greet', ['Ana', '2'])
  // @ts-expect-error no such task
  await queueApp.enqueue('geet', ['Ana'])
}

/** Without a map, the type of a task comes from its handler. */
export async function takenFromTheHandler(): Promise<void> {
  const queueApp = QueueApp.fromUrls()
  const byDefault = queueApp.task('default', async (to: string, times = 1, loud = false) => ({ to, times, loud }))
  exactly<Task<[to: string, times?: number, loud?: boolean], { to: string, times: number, loud: boolean }>>()(byDefault)
  const outcome = await queueApp.result(await queueApp.enqueue(byDefault, ['a', 2]))
  exactly<ExecutionResult<{ to: string, times: number, loud: boolean }> | null>()(outcome)
  // @ts-expect-error the default is a number
  await queueApp.enqueue(byDefault, ['a', '2'])
  const rest = queueApp.task('rest', (first: string, ...others: readonly number[]) => first + others.join())
  await queueApp.enqueue(rest, ['a', 1, 2])
  // @ts-expect-error the rest are numbers
  await queueApp.enqueue(rest, ['a', 'b'])
  function overloaded(id: number): void
  function overloaded(id: string, force: boolean): void
  function overloaded(): void {}
  const lastOverload = queueApp.task('overloaded', overloaded)
  await queueApp.enqueue(lastOverload, ['a', true])
  const text = String(await queueApp.enqueue(byDefault, ['a']))
  const byTask = await queueApp.result<typeof byDefault>(text)
  exactly<ExecutionResult<{ to: string, times: number, loud: boolean }> | null>()(byTask)
  const ids = [await queueApp.enqueue('any name', [1])]
  ids.push(text)
  const untyped = await queueApp.result(ids[0]!)
  exactly<ExecutionResult | null>()(untyped)
  const when = queueApp.task('dated', (day: string) => new Date(day))
  const dated = await queueApp.result(await queueApp.enqueue(when, ['2030-01-01']))
  exactly<string | null | undefined>()(dated?.result)
  // @ts-expect-error JSON turns a Date into text
  queueApp.task('date', (day: Date) => day.getTime())
  // @ts-expect-error parameters need their types, as everywhere
  queueApp.task('implicit', async to => to)
  // @ts-expect-error a class is no handler
  queueApp.task('class', Map)
  // @ts-expect-error text is no handler
  queueApp.task('text', 'handler')
}

export async function schedules(): Promise<void> {
  const queueApp = QueueApp.fromUrls<Tasks>()
  const scheduler: Scheduler<Tasks> = queueApp.createScheduler()
  const args = { args: ['team@example.com', 'Good morning'] } satisfies CodeScheduleOptions
  await scheduler.scheduleCron('email:send', '0 9 * * 1', 'Monday', {
    args: ['team@example.com', 'Good morning'], timezone: 'Europe/Berlin'
  })
  await scheduler.scheduleInterval('email:send', 60_000, null, { args: ['team@example.com', 'Good morning'] })
  await scheduler.scheduleCron('sync', '0 9 * * 1')
  await scheduler.scheduleCron('sync', '0 9 * * 1', 'Every Monday', { overlap: 'skip' })
  await scheduler.scheduleInterval('sum', 60_000, 'Sum', { args: [1, 2] })
  const send = queueApp.task('email:send', async () => ({ messageId: 'a' }))
  await scheduler.scheduleCron(send, '0 9 * * 1', 'Monday', { args: ['team@example.com', 'Good morning'] })
  await scheduler.scheduleInterval(send, 60_000, 'Monday', { args: ['team@example.com', 'Good morning'] })
  // @ts-expect-error a misspelt name
  await scheduler.scheduleCron('emial:send', '0 9 * * 1', 'Monday', { args: ['team@example.com', 'Good morning'] })
  // @ts-expect-error a misspelt name
  await scheduler.scheduleInterval('emial:send', 60_000, 'Monday', { args: ['team@example.com', 'Good morning'] })
  // @ts-expect-error wrong arguments
  await scheduler.scheduleCron('email:send', '0 9 * * 1', 'Monday', { args: [1] })
  // @ts-expect-error wrong arguments
  await scheduler.scheduleInterval('email:send', 60_000, 'Monday', { args: ['a', 1] })
  // @ts-expect-error the arguments are missing
  await scheduler.scheduleCron('email:send', '0 9 * * 1', 'Monday')
  // @ts-expect-error the arguments are missing
  await scheduler.scheduleInterval('email:send', 60_000, 'Monday', { overlap: 'skip' })
  // @ts-expect-error wrong arguments of a task
  await scheduler.scheduleCron(send, '0 9 * * 1', 'Monday', { args: ['a'] })
  // @ts-expect-error a misspelt option
  await scheduler.scheduleCron('sync', '0 9 * * 1', 'Monday', { tz: 'Europe/Berlin' })
  const any = QueueApp.fromUrls().createScheduler()
  await any.scheduleCron('any name', '0 9 * * 1', 'Monday', args)
}

// A map whose values are not functions is refused.
// @ts-expect-error an interface with something else in it
export type NoMap = QueueApp<{ 'email:send': string }>
