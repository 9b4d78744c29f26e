import t, { type Test } from 'tap'
import type { AuditEntry, AuditPage } from '../../../schemas/audit.ts'
import type { BulkPreview } from '../../../schemas/bulk.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { ACCESS, actionsOfWrites, PEOPLE, STATE, STATUS_OF, WRITING_ACTIONS, type Person } from './access.ts'
import { bulk, bulkStarts } from './bulk.ts'
import { openDashboard, type Dashboard, type Line } from './dashboard.ts'
import { executions } from './executions.ts'
import { failures } from './failures.ts'
import { isDone, type Done, type Noun, type Outcome } from './noun.ts'
import { queues } from './queues.ts'
import { newSchedules, schedules, tasks } from './schedules.ts'
import { openTasks, TROUBLE, type Tasks } from './team.ts'

// Several stores, one after the other: this takes minutes on a slow machine.
t.setTimeout(900_000)

const ACTION_OF = actionsOfWrites()

const NOUNS: Readonly<Record<string, (tasks: Tasks, deputy: Dashboard['deputy']) => Noun | Promise<Noun>>> = {
  tasks, executions, failures, queues, schedules, 'new schedules': newSchedules, bulk, 'bulk starts': bulkStarts
}

/** A write. The map that holds it has the reason that was sent with it as key. */
interface Sent {
  readonly person: Person
  readonly action: string
  readonly label: string
  readonly outcome: Outcome
  readonly begins: boolean
}

t.test('every action has a route, and every writing route has a row in the table', async t => {
  t.same([...new Set(ACTION_OF.values())].toSorted(), WRITING_ACTIONS.toSorted())
  t.same(Object.keys(ACCESS).toSorted(), [...ACTION_OF.keys()].toSorted())
})

t.test('every action in every state by every identity is done, or refused with the right code', t => onEveryStore(t, async (t, url) => {
  const team = await openTasks(t, url)
  const dashboard = await openDashboard(t, team.queueApp)
  t.teardown(() => team.queueApp.stop())
  const sent = new Map<string, Sent>()
  const routes: string[] = []
  for (const [name, open] of Object.entries(NOUNS)) {
    await t.test(name, async t => {
      const noun = await open(team, dashboard.deputy)
      routes.push(...Object.keys(noun.writes))
      const states = Object.keys(noun.enter)
      for (const [route, row] of Object.entries(noun.expected)) t.same(Object.keys(row).toSorted(), states.toSorted(), `states of ${route}`)
      if (noun.isShared) for (const state of states) await testState(t, dashboard, noun, state, sent)
      else await Promise.all(states.map(state => testState(t, dashboard, noun, state, sent)))
    })
  }
  t.same(routes.toSorted(), [...ACTION_OF.keys()].toSorted(), 'every route was used')
  t.ok([...team.runs.values()].every(count => count === 1), 'no action ran the same execution again')
  await t.test('only users who may start an operation can make a dry run', t => testDryRun(t, dashboard))
  await t.test('each of these writes is in the server log and in the audit log', t => testRecords(t, dashboard, sent))
}, false))

/** A read-only dashboard refuses the request before it knows that the body asks for a dry run, so the refusal is in the log. */
const DRY_RUN: Readonly<Record<Person, { readonly status: number; readonly matches: boolean }>> = {
  nobody: { status: 401, matches: false }, viewer: { status: 403, matches: false }, operator: { status: 200, matches: true },
  admin: { status: 200, matches: true }, own: { status: 200, matches: true }, other: { status: 200, matches: false },
  'reader of a read-only app': { status: 403, matches: false }
}

async function testDryRun(t: Test, { ask }: Dashboard): Promise<void> {
  const body = { action: 'retry', filter: { task_name: TROUBLE }, dry_run: true }
  for (const person of PEOPLE) {
    const answer = await ask(person, 'POST', { path: '/bulk', body, headers: { 'audit-reason': 'dry' } })
    const { count } = answer.json<Partial<BulkPreview>>()
    t.same({ status: answer.statusCode, matches: (count?.value ?? 0) > 0 }, DRY_RUN[person], person)
  }
}

/** First all writes that are refused, on the same resource. Then those that are done, each on a new resource. */
async function testState(t: Test, dashboard: Dashboard, noun: Noun, state: string, sent: Map<string, Sent>): Promise<void> {
  const shown = await noun.enter[state]!()
  const before = await noun.standing(shown)
  const cells = Object.keys(noun.writes).flatMap(route =>
    PEOPLE.map(person => ({ route, person, ...expectedOf(noun, route, state, person) })))
  const refusals: Record<string, object> = {}
  const expected: Record<string, object> = {}
  for (const cell of cells) {
    if (isDone(cell.outcome)) continue
    const answer = await act(dashboard, noun, state, shown, cell, sent)
    const { status, code, detail } = answer.json<Partial<Problem>>()
    const word = NAMES_STATE.test(cell.outcome) ? noun.words?.[state] : undefined
    const namesState = word === undefined || word.test(detail ?? '')
    refusals[labelOf(state, cell)] = { status, code, statusCode: answer.statusCode, namesState }
    const wanted = STATUS_OF[cell.outcome]
    expected[labelOf(state, cell)] = { status: wanted, code: cell.outcome, statusCode: wanted, namesState: true }
  }
  // One assertion for all of them, because thousands of assertions take seconds.
  t.strictSame(refusals, expected, `${state}: who is refused, and why`)
  t.strictSame(await noun.standing(shown), before, `${state}: what was refused changed nothing`)

  for (const cell of cells) {
    if (!isDone(cell.outcome)) continue
    const id = await noun.enter[state]!()
    const answer = await act(dashboard, noun, state, id, cell, sent)
    const label = labelOf(state, cell)
    const { statusCode, body } = answer
    const found = { isDone: statusCode < 300, ...answer.json<object>() }
    t.match(found, { isDone: true, ...cell.outcome.answer }, `${label}: ${statusCode} ${body}`)
    await testAfterwards(t, noun, id, cell.outcome, label)
    await noun.afterwards?.(id)
  }
  await noun.afterwards?.(shown)
}

interface Cell { readonly route: string; readonly person: Person; readonly outcome: Outcome; readonly begins: boolean }

const NAMES_STATE = /^(NOT_[A-Z]+ABLE|BULK_STATE)$/
const labelOf = (state: string, { route, person }: Cell): string => `${person}: ${route} of ${state}`

/** `begins`: access is granted, so the write itself begins. */
function expectedOf(noun: Noun, route: string, state: string, person: Person): { outcome: Outcome; begins: boolean } {
  const access = ACCESS[route]![PEOPLE.indexOf(person)]!
  if (access !== STATE) return { outcome: access, begins: !['HTTP_401', 'FORBIDDEN', 'READ_ONLY'].includes(access) }
  const expected = noun.expected[route]![state]!
  if (typeof expected === 'string' || 'answer' in expected) return { outcome: expected, begins: true }
  return { outcome: expected[person] ?? expected.all, begins: true }
}

async function act({ ask }: Dashboard, noun: Noun, state: string, id: string, cell: Cell, sent: Map<string, Sent>) {
  const { route, person, outcome, begins } = cell
  const reason = `write ${sent.size}`
  sent.set(reason, { person, action: ACTION_OF.get(route)!, label: labelOf(state, cell), outcome, begins })
  const { headers, ...write } = noun.writes[route]!(id, state)
  // If the body has a reason of its own, the response shows that one, and the log shows the one in the header.
  return await ask(person, route.split(' ')[0] as 'POST', { ...write, headers: { ...headers, 'audit-reason': encodeURIComponent(reason) } })
}

async function testAfterwards(t: Test, noun: Noun, id: string, { after }: Done, label: string): Promise<void> {
  if (Object.keys(after).length === 0) return
  const plain = Object.entries(after).filter(([, value]) => typeof value !== 'object' && typeof value !== 'function')
  const standing = await waitFor(`${label} to leave ${JSON.stringify(after)}`, async () => {
    const found = await noun.standing(id) as Record<string, unknown>
    return plain.every(([key, value]) => found[key] === value) && { found }
  })
  t.match(standing.found, after, `${label}: the resulting state`)
}

/** Refusals by the policy are listed up to a limit, and beyond it only counted. */
async function testRecords(t: Test, { lines, ask, deputy }: Dashboard, sent: ReadonlyMap<string, Sent>): Promise<void> {
  t.ok(sent.size > 400, `${sent.size} writes`)
  const byReason = new Map(lines.map(line => [line.reason, line]))
  const recordsOf = (found: ReadonlyMap<string | null, Line>, of: Iterable<[string, Sent]>) =>
    Object.fromEntries(Array.from(of, ([reason, { label }]) => [label, found.has(reason) ? toRecord(found.get(reason)!) : null]))
  const wantedOf = (of: Iterable<[string, Sent]>) => Object.fromEntries(Array.from(of, ([, each]) => [each.label, recordOf(each)]))
  t.strictSame(recordsOf(byReason, sent), wantedOf(sent), 'in the log')

  let entries: AuditEntry[] = []
  await waitFor('all refusals to be recorded', async () => {
    // The next entry contains the number of those that were not listed.
    await ask('admin', 'PUT', { path: '/queues/own:running/resume', headers: { 'audit-reason': 'the last one' } })
    entries = await allEntries(deputy)
    const ours = entries.filter(entry => sent.has(entry.reason ?? ''))
    const notListed = entries.reduce((sum, entry) => sum + (entry.not_listed ?? 0), 0)
    return ours.length + notListed >= sent.size
  })
  const listed = new Map(entries.map(entry => [entry.reason, entry]))
  const mustBeListed = [...sent].filter(([reason, { begins }]) => begins || listed.has(reason))
  t.strictSame(recordsOf(listed, mustBeListed), wantedOf(mustBeListed), 'in the audit log')
  const done = [...sent].filter(([, { outcome }]) => isDone(outcome))
  t.match(
    Object.fromEntries(done.map(([reason, { label }]) => [label, listed.get(reason)?.after])),
    Object.fromEntries(done.map(([, { label, outcome }]) => [label, (outcome as Done).answer])), 'with the resulting state'
  )
  const refusals = mustBeListed.filter(([, { begins }]) => !begins).length
  const dryRuns = lines.filter(({ reason }) => reason === 'dry').map(({ actor, code }) => [actor, code])
  t.same(dryRuns, [['reader of a read-only app', 'READ_ONLY']])
  t.ok(refusals >= 60, `${refusals} refusals by the policy are listed`)
}

function toRecord({ actor, action, outcome, code }: Line): object {
  return { actor, action, outcome, code }
}

function recordOf({ person, action, outcome }: Sent): object {
  return {
    actor: person === 'nobody' ? null : person, action,
    ...isDone(outcome) ? { outcome: 'done', code: null } : { outcome: 'refused', code: outcome }
  }
}

async function allEntries({ read }: Dashboard['deputy']): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (let cursor = ''; ;) {
    const page = await read<AuditPage>(`audit?limit=100${cursor}`)
    entries.push(...page.items)
    if (page.next_cursor === null) return entries
    cursor = `&cursor=${page.next_cursor}`
  }
}
