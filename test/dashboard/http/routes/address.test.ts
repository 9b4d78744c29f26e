import t from 'tap'
import { addressFrom, followedByStrategy, parameterOf, segmentsOf } from '../../../../lib/dashboard/http/routes/address.ts'
import { baseOf } from '../../../../lib/dashboard/interface/page.ts'

void t.test('a declared path becomes a wildcard plus the word that follows the parameter', async t => {
  t.strictSame(addressFrom('/api/stats'), { url: '/api/stats', parameter: null, followedBy: null })
  t.strictSame(addressFrom('/api/tasks/:name'), { url: '/api/tasks/*', parameter: 'name', followedBy: null })
  t.strictSame(addressFrom('/api/schedules/:id/enable'), { url: '/api/schedules/*', parameter: 'id', followedBy: 'enable' })
})

void t.test('the word after a name is told apart from the name itself', async t => {
  const wordOf = (url?: string) => followedByStrategy.deriveConstraint({ url })
  t.equal(wordOf('/tasks/api/tasks/a/executions?limit=1'), 'executions')
  t.equal(wordOf('/tasks/api/tasks/executions/executions/'), 'executions')
  t.equal(wordOf('/api/schedules/a%2Fb/enable#x'), 'enable')
  for (const url of [
    '/api/tasks/executions', '/api/tasks/api/tasks/executions', '/api/executions/a', '/other/a/executions', '/api/tasks//executions', '/',
    undefined
  ]) {
    t.equal(wordOf(url), undefined, String(url))
  }
})

void t.test('a name is decoded from its raw path segment', async t => {
  const nameIn = (url: string, followedBy: string | null = null) => parameterOf(url, '/a/api/tasks/*', followedBy)
  t.equal(nameIn('/a/api/tasks/reports%2Fdaily?x=/y'), 'reports/daily')
  t.equal(nameIn('/a/api/tasks/%25'), '%')
  t.equal(nameIn('/a/api/tasks/x/'), 'x')
  t.equal(nameIn('/a//api/tasks/x/executions', 'executions'), 'x')
  t.equal(nameIn('/a/api/tasks/+'), '+')
  for (const url of [
    '/a/api/tasks/', '/a/api/tasks//executions', '/a/api/tasks/x/y', '/a/api/tasks/%', '/a/api/tasks/%ff', '/a/api/tasks/%ed%a0%80'
  ])
    t.equal(nameIn(url), null, url)
})

void t.test('the base leads from any page to the mount', async t => {
  const table = [
    ['/', '/', '', '/'], ['/x', '/x', '', '/'], ['/x/y', '/x/y', '', '/'],
    ['/t', '/t', '/t', '/t/'], ['/t/', '/t/', '/t', '/t/'], ['/t/x/y/?a=/b', '/t/x/y/', '/t', '/t/'],
    ['/a/b/c', '/a/b/c', '/a/b/c', '/a/b/c/'], ['/a/b/c/d', '/a/b/c/d', '/a/b/c', '/a/b/c/'],
    ['/t', '/ops/t', '/t', '/ops/t/'], ['/t/x', '/ops/t/x', '/t', '/ops/t/'], ['/', '/ops/q/', '', '/ops/q/']
  ] as const
  for (const [url, originalUrl, prefix, mount] of table) {
    const base = new URL(baseOf({ url, originalUrl, prefix }), `http://h${originalUrl}`).pathname
    t.equal(base, mount, `${originalUrl} below ${prefix || '/'}`)
  }
  t.strictSame(segmentsOf('/a/b/'), ['a', 'b'])
})
