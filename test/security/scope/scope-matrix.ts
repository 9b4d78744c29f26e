import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { apiAddresses } from '../../../lib/dashboard/resources/api-addresses.ts'
import { TEAMS, twoTeams, type Belongings, type Method, type World } from './two-teams.ts'

/** Bodies for the writes that need one. */
const BODIES: Readonly<Record<string, (taskName: string) => object>> = {
  'POST /api/schedules/cron': taskName => ({ task_name: taskName, cron: '0 4 1 1 *' }),
  'POST /api/schedules/interval': taskName => ({ task_name: taskName, interval_ms: 86_400_000 }),
  'PATCH /api/schedules/:id': () => ({ description: 'changed' }),
  'PATCH /api/executions/:id': () => ({ priority: 3 })
}
/** The parameter for each noun in an address. A new noun has to be added here, or the test fails. */
const NOUNS: Readonly<Record<string, keyof Belongings>> = {
  tasks: 'tasks', executions: 'executions', schedules: 'schedules', failures: 'failures', queues: 'queues', bulk: 'bulk'
}
const UNKNOWN: Readonly<Record<string, string>> = {
  tasks: 'nothing', executions: '0190ffff-0000-7000-8000-00000000abcd', schedules: 'nothing', failures: 'nothing', queues: 'nothing',
  bulk: '0190ffff-0000-7000-8000-00000000abcd'
}

/** `repeated`: a name in the request, which the response may repeat. */
interface Seen { readonly label: string; readonly answer: LightMyRequestResponse; readonly repeated?: string }

/** Requests everything in every way, as an identity that sees one of two teams. */
export async function testScope(t: Test, newUrl: () => Promise<string>, isAlone = false): Promise<void> {
  const world = await twoTeams(t, await newUrl(), ['ana', 'ben'], isAlone)
  const [ana, ben] = [await world.belongingsOf('ana'), await world.belongingsOf('ben')]
  const traces = tracesOf(ben, isAlone)
  t.equal(ben.bulk.length, 1)
  t.ok(ben.executions.length >= 9 && ben.schedules.length === 2 && ben.failures.length === 1, 'the other team has something to hide')
  const before = await stateOf(world, ben)

  await t.test('no response to a read has a trace of another team', async t => {
    const answers = [...await readEverything(world, 'ana', ana, ben), ...await readPages(world, 'ana', ana, ben)]
    t.ok(answers.length > 200, `${answers.length} answers`)
    for (const each of answers) {
      t.strictSame(tracesIn(each, traces), [], each.label)
      t.ok([200, 400].includes(each.answer.statusCode), `${each.label}: ${each.answer.statusCode}`)
    }
    const body = answers.map(({ answer }) => answer.body).join('\n')
    for (const word of ['arg', 'every', 'because-', 'not now', 'known', 'closed', 'narrowed', 'boom'])
      t.ok(body.includes(`${word}${word.endsWith('-') ? '' : ' '}${TEAMS.ana}`), `its own texts are there: ${word}`)
    const all = (await readEverything(world, 'all', ana, ben)).map(({ answer }) => answer.body).join('\n')
    t.ok(all.includes(TEAMS.ben), 'an identity without a scope sees both')
  })

  await t.test('requests for resources of another team get the same response as for unknown ones', async t => {
    let compared = 0
    for (const { method, path } of apiAddresses()) {
      const noun = nounOf(path)
      if (noun === null) continue
      for (const method_ of method === 'GET' ? ['GET', 'HEAD'] as const : [method as Method]) {
        const ask = (name: string, key?: string) => world.ask(
          'ana', method_, path.replace(/:\w+/, encodeURIComponent(name)), bodyOf(method, path, name),
          key === undefined ? {} : { 'idempotency-key': key }
        )
        const unknown = comparable(await ask(UNKNOWN[noun]!), UNKNOWN[noun]!)
        for (const name of [...ben[NOUNS[noun]!], ...noun === 'failures' ? [world.sharedGroup] : []]) {
          t.strictSame(comparable(await ask(name), name), unknown, `${method_} ${path} ${name}`)
          if (method === 'POST') t.strictSame(comparable(await ask(name, `key-${name}`), name), unknown, `${method} ${path} with a key`)
          compared++
        }
      }
    }
    for (const path of ['/api/schedules/cron', '/api/schedules/interval']) {
      const create = (name: string) => world.ask('ana', 'POST', path, BODIES[`POST ${path}`]!(name))
      t.strictSame(comparable(await create(ben.tasks[0]!), ben.tasks[0]!), comparable(await create('nothing'), 'nothing'), path)
    }
    t.ok(compared > 50, `${compared} comparisons`)
    t.strictSame(await stateOf(world, ben), before, 'and nothing of it changed')
  })

  await t.test('the response to an Idempotency-Key of another team is not repeated', async t => {
    const path = `/api/tasks/${encodeURIComponent(`${TEAMS.ben}:idle`)}/run`
    const run = (who: 'ana' | 'ben') => world.ask(who, 'POST', path, { delay_ms: 3_600_000 }, { 'idempotency-key': 'the-same' })
    t.equal((await run('ben')).statusCode, 202)
    t.equal((await run('ana')).statusCode, 404)
  })

  await t.test('an identity that sees nothing gets empty responses', async t => {
    for (const each of await readEverything(world, 'nobody', ana, ben))
      t.strictSame(tracesIn(each, [...traces, ...tracesOf(ana, isAlone)]), [], each.label)
  })

  await t.test('numbers equal those of a queue app that has only the visible tasks', async t => {
    const alone = await twoTeams(t, await newUrl(), ['ana'], isAlone)
    t.strictSame(await numbersOf(world, 'ana'), await numbersOf(alone, 'all'))
  })
}

/** Every read of the API, with resources of both teams and with filters for the other team. */
async function readEverything(world: World, who: 'ana' | 'all' | 'nobody', own: Belongings, other: Belongings): Promise<Seen[]> {
  const seen: Seen[] = []
  const read = async (path: string, repeated?: string): Promise<void> => {
    for (const method of ['GET', 'HEAD'] as const)
      seen.push({ label: `${method} ${path}`, answer: await world.ask(who, method, path), ...repeated !== undefined && { repeated } })
  }
  for (const { method, path } of apiAddresses().filter(each => each.method === 'GET')) {
    const noun = nounOf(path)
    if (noun !== null) for (const name of own[NOUNS[noun]!]) await read(path.replace(/:\w+/, encodeURIComponent(name)), name)
    else for (const query of queriesOf(`${method} ${path}`, world, other)) await read(`${path}${query}`)
  }
  return seen
}

const NEXT_DAYS = `?to=${new Date(Date.now() + 6 * 86_400_000).toISOString()}`
const TIMES = '?from=2020-01-01T00:00:00.000Z'

function queriesOf(route: string, { sharedGroup }: World, other: Belongings): string[] {
  const [task, worker, schedule] = [other.tasks[0]!, other.workers[0] ?? 'w', other.schedules[0]!].map(encodeURIComponent)
  const ofOther = [`?task_name=${task}`]
  switch (route) {
    case 'GET /api/executions': return [
      '', TIMES, '?limit=1', '?limit=2&order=oldest', '?status=failed', '?status=cancelled', '?status=pending', '?status=running',
      ...ofOther,
      `?worker_id=${worker}`, `?schedule_id=${schedule}`, `?error_group=${sharedGroup}`, `?error_group=${sharedGroup}&limit=1`,
      `?error_group=${other.failures[0]}`, `?search=${TEAMS.ben}`, '?search=boom', '?search=connection%20refused&limit=1',
      `?search=id:${other.executions[0]}`, '?min_duration_ms=0'
    ]
    case 'GET /api/search/completions': return ['', 'task:', 'worker:', 'schedule:', 'group:', TEAMS.ben.slice(0, 2)]
      .map(search => `?search=${search}&position=${search.length}`)
    case 'GET /api/failures': return [
      '', '?limit=1', '?state=all', '?state=resolved',
      ...ofOther, TIMES, `?error_group=${sharedGroup}`, `?error_group=${other.failures[0]}`,
      `?task_name=${encodeURIComponent(`${TEAMS.ana}:connect`)}`
    ]
    case 'GET /api/schedules': return ['', '?limit=1', '?order=next_run', ...ofOther, `?search=${TEAMS.ben}`]
    case 'GET /api/schedules/agenda': return ['', NEXT_DAYS]
    case 'GET /api/schedules/preview': return ['?cron=0%203%20*%20*%20*']
    case 'GET /api/timeseries': return ['', '?window=1h', '?window=7d', '?metric=duration_ms', ...ofOther]
    case 'GET /api/audit': return ['', '?limit=1', ...ofOther, `?schedule_id=${schedule}`, '?actor=person-of-all']
    default: return ['']
  }
}

/** The pages, with the responses that they embed. */
async function readPages(world: World, who: 'ana', own: Belongings, other: Belongings): Promise<Seen[]> {
  const paths: Array<[path: string, name?: string]> = [
    ['/'], ['/failures'], ['/executions'], ['/schedules?new=1'], ['/workers'], ['/first-reads.json'], ['/audit'],
    ['/failures?group=', world.sharedGroup]
  ]
  for (const { tasks, executions, schedules, failures } of [own, other]) {
    paths.push(
      ['/tasks?name=', tasks[0]!], ['/executions?execution=', executions[0]!], ['/schedules?schedule=', schedules[0]!],
      ['/failures?group=', failures[0]!], ['/executions?task=', tasks[0]!]
    )
  }
  return await Promise.all(paths.map(async ([path, name]) => ({
    label: `${path}${name ?? ''}`, answer: await world.ask(who, 'GET', `${path}${encodeURIComponent(name ?? '')}`),
    ...name !== undefined && { repeated: name }
  })))
}

function nounOf(path: string): string | null {
  const [, noun] = /^\/api\/(\w+)\/:/.exec(path) ?? []
  if (noun === undefined) return null
  if (!(noun in NOUNS)) throw new Error(`Add ${noun} to NOUNS, and to what both teams have`)
  return noun
}

function bodyOf(method: string, path: string, name: string): object | undefined {
  return BODIES[`${method} ${path}`]?.(name)
}

/** Everything that reveals a team: its mark, and the ids of its resources. */
function tracesOf({ executions, schedules, failures, workers, tasks, bulk }: Belongings, isAlone: boolean): string[] {
  return [tasks[0]!.split(':')[0]!, ...executions, ...schedules, ...failures, ...bulk, ...isAlone ? [] : workers]
}

function tracesIn({ answer, repeated = '' }: Seen, traces: readonly string[]): string[] {
  const text = withoutName(`${JSON.stringify(answer.headers)}\n${answer.body}`, repeated)
  // Cursors are encoded.
  const coded = [...text.matchAll(/[\w-]{20,}/g)].map(([token]) => Buffer.from(token, 'base64url').toString('latin1')).join('\n')
  return traces.filter(trace => text.includes(trace) || coded.includes(trace))
}

/** A response without the parts that repeat the request, and without times. */
function comparable({ statusCode, headers, body }: LightMyRequestResponse, name: string) {
  const { date: _date, 'content-length': _length, ...rest } = headers
  return { statusCode, headers: rest, body: withoutName(body, name) }
}

function withoutName(text: string, name: string): string {
  return name === '' ? text : [name, encodeURIComponent(name)].reduce((all, each) => all.replaceAll(each, '*'), text)
}

/** The state that a write could have changed. */
async function stateOf(world: World, { executions, schedules, queues, failures }: Belongings): Promise<unknown> {
  const get = async (path: string): Promise<unknown> => (await world.ask('all', 'GET', path)).json<unknown>()
  const all = await get('/api/queues') as Array<{ name: string; state: string; pause: unknown }>
  const groups = await get('/api/failures') as { items: Array<{ error_group: string; state: string; decision: unknown }> }
  const named = new Set([...failures, world.sharedGroup])
  return {
    executions: await Promise.all(executions.map(async id => {
      const { status, priority, retried_by: retriedBy } = await get(`/api/executions/${id}`) as Record<string, unknown>
      return [id, status, priority, retriedBy]
    })),
    schedules: await Promise.all(schedules.map(async id => {
      const { enabled, version } = await get(`/api/schedules/${id}`) as Record<string, unknown>
      return [id, enabled, version]
    })),
    queues: all.filter(({ name }) => queues.includes(name)).map(({ name, state, pause }) => [name, state, pause]),
    failures: groups.items.filter(each => named.has(each.error_group)).map(each => [each.error_group, each.state, each.decision])
  }
}

async function numbersOf(world: World, who: 'ana' | 'all'): Promise<unknown> {
  const get = async <Answer>(path: string): Promise<Answer> => (await world.ask(who, 'GET', path)).json<Answer>()
  const stats = await get<Record<string, unknown> & { history: Record<string, { kept: number }> }>('/api/stats')
  const tasks = await get<Array<Record<string, unknown>>>('/api/tasks')
  const groups = await get<{ items: Array<Record<string, unknown> & { trend: number[] }>; total: object }>('/api/failures?state=all')
  const series = await get<{ points: Array<{ success: number | null; failed: number | null }> }>('/api/timeseries?window=1h')
  const agenda = await get<{ schedules: unknown[]; totals: number[] }>(`/api/schedules/agenda${NEXT_DAYS}`)
  const workers = await get<Array<Record<string, unknown>>>('/api/workers')
  const totals = await Promise.all(
    ['', '?status=success', '?status=failed', '?status=cancelled', '?status=pending', '?status=running', TIMES, '?search=boom', '?limit=1']
      .map(async query => (await get<{ total: object }>(`/api/executions${query}`)).total))
  const sum = (numbers: Array<number | null>) => numbers.reduce<number>((all, number) => all + (number ?? 0), 0)
  return {
    stats: [
      stats['executions'], stats['registered_tasks'], stats['schedules'], stats['active_workers'], stats['success_rate'],
      stats.history['success']!.kept, stats.history['failed']!.kept
    ],
    tasks: tasks.map(({ name, executions, schedules, workers }) => [name, executions, schedules, workers]),
    groups: [groups.total, groups.items.map(({ type, message, count, trend, tasks, is_new: isNew }) =>
      [type, message, count, sum(trend), tasks, isNew]).sort()],
    series: [sum(series.points.map(point => point.success)), sum(series.points.map(point => point.failed))],
    agenda: [agenda.schedules.length, sum(agenda.totals)],
    // Running executions are reported only every few seconds.
    workers: workers.map(({ task_count: count, tasks }) => [count, (tasks as Array<{ name: string }>).map(({ name }) => name).sort()]),
    totals
  }
}
