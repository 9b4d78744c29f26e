import t from 'tap'
import { entryOperation } from '../../../../ui/src/format/audit/entry-operation.ts'

t.test('an entry leads to the bulk operation that it started or changed', async t => {
  for (const [entry, operation] of [
    [{ action: 'bulk:create', path: '/api/bulk', after: { operation_id: 'b-1' } }, 'b-1'],
    [{ action: 'bulk:create', path: '/api/bulk', after: null }, null],
    [{ action: 'bulk:abort', path: '/api/bulk/b%2F1/abort', after: null }, 'b/1'],
    [{ action: 'bulk:abort', path: '/api/bulk/%/abort', after: null }, null],
    [{ action: 'executions:retry', path: '/api/bulk/b-1/abort', after: { operation_id: 'b-1' } }, null],
    [{ action: 'bulk:undo', path: '/elsewhere', after: 'cut' }, null]
  ] as const) t.equal(entryOperation(entry), operation, JSON.stringify(entry))
})
