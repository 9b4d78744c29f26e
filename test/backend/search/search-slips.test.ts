import t from 'tap'
import { completeSearch } from '../../../lib/backend/search/complete-search.ts'
import { parseSearch } from '../../../lib/backend/search/parse-search.ts'
import { isTaskDashboardError } from '../../../lib/errors.ts'
import { inTime } from '../../support/in-time.ts'

function faultOf(search: string): string | null {
  try {
    parseSearch(search, 0)
    return null
  } catch (error) {
    if (!isTaskDashboardError(error) || error.errors === undefined) throw error
    return `${error.errors[0]!.position}: ${error.errors[0]!.message.replace(/^character \d+: /, '')}`
  }
}

t.test('syntax of other search languages is refused with the correct syntax and its position', async t => {
  const table: Array<[search: string, fault: RegExp]> = [
    ['took>5s', /^0: write took:>5s, with a colon/], ['a status=failed', /^2: write status:failed, with a colon/],
    ['args.user.id=42', /^0: write args\.user\.id:42/],
    ['-status:failed', /^0: a search cannot exclude anything.* Quote it/], ['!task:a', /^0: a search cannot exclude/],
    ['status!=failed', /^0: a search cannot exclude/],
    ['-args.id:1', /^0: a search cannot exclude/],
    ['status:failed OR task:a', /^14: there is no OR, because every term must match/],
    ['task:a AND timeout', /^7: every term must match anyway: leave AND out/],
    ['NOT status:failed', /^0: a search cannot exclude/],
    ["task:'send email'", /^5: quotes are written ": task:"…"/], ['error:“no route”', /^6: quotes are written "/],
    ['args.name:‘Ann’', /^10: quotes are written ": args\.name:"…"/],
    ['task:email*', /^5: task: takes a whole name, without \*/],
    ['since:2026-11-21 9:30', /^17: write date and time together.* since:2026-11-21T09:30Z/],
    ['after:1h', /^0: there is no field "after"; did you mean since:/], ['before:1h', /did you mean until:/],
    ['message:x', /did you mean error:/],
    ['priority:1', /^0: there is no field "priority": executions cannot be searched by it\. Quote it/],
    ['result.id:1', /no field "result"/]
  ]
  for (const [search, fault] of table) t.match(faultOf(search), fault, search)
})

t.test('pasted text is searched as text', async t => {
  const texts = [
    'NOT NULL constraint failed: users.email', 'TO BE OR NOT TO BE', 'status=500 from upstream', 'a => b', 'x>5 and y<=7',
    'GET http://host/a?status=failed', '-v --force', 'error: priority = 1', "can't read 'x'", '10:30', 'took 5s', 'a!=b', 'args',
    'result: 5', '"status=failed"', '"-status:failed"', '"priority:1"', 'task:"email*"', 'error:time*'
  ]
  for (const text of texts) t.equal(faultOf(text), null, text)
})

t.test('a completed task name parses back to itself, whatever characters it has', async t => {
  const taskNames = ["'quoted'", 'a*b', '“smart”', '-x', 'OR', 'x=y']
  const { items } = completeSearch('task:', 5, { taskNames })
  t.strictSame(items.map(({ text }) => parseSearch(`task:${text}`, 0).taskName), taskNames)
})

t.test('the longest confusing searches are checked within a second', async t => {
  const texts = ['a.', '.', 'args.', '-', '!', '=', 'a=', "'", '_', ':', 'OR '].flatMap(each => [each, `${each}b`]).map(
    each => each.repeat(512).slice(0, 512)
  )
  await inTime(t, 'read', 1_000, () => {
    for (const text of texts) for (const search of [text, `a.${text.slice(2)}`, `error:${text.slice(6)}`]) faultOf(search)
  })
})
