import t from 'tap'
import type { Execution } from '../../../../schemas/index.ts'
import { compareArguments } from '../../../../ui/src/format/executions/compare-arguments.ts'
import { toExport } from '../../../../ui/src/format/executions/export.ts'
import { exportName, toCsv } from '../../../../ui/src/format/lists/export-list.ts'

t.test('a CSV file keeps its rows and cells in a spreadsheet, and runs no formula', async t => {
  t.equal(toCsv([]), '')
  t.equal(toCsv([{ a: 'x', b: null, c: -1 }, { a: 'y,"z"\nw', b: 'é', c: 0 }]), 'a,b,c\r\nx,,-1\r\n"y,""z""\nw",é,0\r\n')
  for (const formula of ['=1+1', '+1', '-1+cmd|x', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=HYPERLINK("http://x","y")']) {
    const [, line = ''] = /^a\r\n([^]*)\r\n$/.exec(toCsv([{ a: formula }])) ?? []
    t.match(line, /^"?'/, JSON.stringify(formula))
  }
  // Where a comma is the decimal separator, a spreadsheet splits at semicolons and begins a new cell after each.
  for (const [value, cell] of [
    ['x;=1+1', "x;'=1+1"], ['x;;@a', "x;;'@a"], ['x\t-1+a', "x\t'-1+a"], ['x; +1', "x;' +1"], ['a; b - c', 'a; b - c'],
    ['x;"=cmd|a', `"x;'""=cmd|a"`], ['x\n=1', `"x\n'=1"`], ['x\r\n=1;=2', `"x\r\n'=1;'=2"`], ['a=b;c-d', 'a=b;c-d']
  ] as const) t.equal(toCsv([{ a: value }]), `a\r\n${cell}\r\n`)
  const long = toCsv([{ a: ';'.repeat(500_000) + ' '.repeat(500_000) }])
  t.equal(long.length, 1_000_005)
})

t.test('executions are exported with their error, as JSON, or as CSV that a spreadsheet recognizes as UTF-8', async t => {
  const execution = { execution_id: 'e-1', task_name: '=cmd', error: { type: 'E', message: 'a, b' }, progress: null } as Execution
  t.same(JSON.parse(toExport([execution], 'json')), [execution])
  t.equal(toExport([execution], 'csv'),
    "\uFEFFexecution_id,task_name,error_type,error_message,retried_by,retry_status\r\ne-1,'=cmd,E,\"a, b\",,\r\n")
  t.equal(exportName('executions ../failed', 'csv', Date.UTC(2026, 10, 20, 9, 30)), 'executions-..-failed-2026-11-20T0930Z.csv')
})

t.test('arguments of failures are compared value by value', async t => {
  const compared = compareArguments([
    [{ to: 'a@example.com', tenant: 7 }, ['x']], [{ to: 'b@example.com', tenant: 7 }, ['x']],
    [{ to: 'b@example.com', tenant: 7, cc: null }, ['x']]
  ])
  t.same(compared.common, [{ path: 'args[0].tenant', value: '7' }, { path: 'args[1][0]', value: '"x"' }])
  t.same(compared.different, [
    { path: 'args[0].to', values: [{ value: '"b@example.com"', count: 2 }, { value: '"a@example.com"', count: 1 }], others: 0 },
    { path: 'args[0].cc', values: [{ value: undefined, count: 2 }, { value: 'null', count: 1 }], others: 0 }
  ])
  t.equal(compared.compared, 3)
  const many = compareArguments(Array.from({ length: 9 }, (_, index) => [index]))
  t.equal(many.different[0]?.others, 5)
  const wide = compareArguments([[Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]))]])
  t.equal(wide.isCut, true)
  t.equal(wide.common.length, 60)
  t.same(compareArguments([]), { compared: 0, common: [], different: [], isCut: false })
})
