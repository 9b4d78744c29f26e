import fc from 'fast-check'

/** By field name: values that a client following the document would send for a field whose meaning is narrower than its type. */
export const MEANINGS: Record<string, fc.Arbitrary<unknown>> = {
  cron: fc.constantFrom('* * * * *', '0 9 * * 1-5', '*/5 0 1 1 *'),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
  worker_id: fc.constantFrom('host:1', 'another'),
  actor: fc.constantFrom('ana', 'Ana Silva (u-17)'),
  action: fc.constantFrom('schedules:delete', 'no:action'),
  execution_id: fc.constantFrom('e-1', 'another'),
  error_group: fc.constantFrom('abc', '0123456789ab'),
  note: fc.constantFrom('', 'fixed in 1.2', 'two\nlines', '</script>'),
  search: fc.constantFrom('morning', 'É', '</', '🎉'),
  reason: fc.constantFrom('', 'not needed', 'two\nlines', '</script>'),
  // Nothing matches, so that everything still exists for the next call.
  filter: fc.constantFrom({ search: 'task:none' }, { task_name: 'none', to: '2026-11-20T09:00:00+01:00' }),
  description: fc.constantFrom(null, '', 'two\nlines', '</script>'),
  start_at: fc.constantFrom(null, '2026-11-20T09:00:00Z'),
  concurrency: fc.constantFrom(null, 1, 100_000),
  rate: fc.constantFrom(null, { max: 5, duration_ms: 60_000 }),
  // A pause ends in the future.
  until: fc.constantFrom(null, new Date(Date.now() + 3_600_000).toISOString(), new Date(Date.now() + 864_000_000).toISOString()),
  due_at: fc.constantFrom('2020-01-01T00:00:00Z', '2026-11-20T09:00:00+01:00'),
  end_at: fc.constantFrom(null, '2026-12-20T09:00:00+01:00'),
  // Keys that change prototypes are refused, see bad-input.ts.
  args: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }).filter(args =>
    !/"(?:__proto__|constructor)":/.test(JSON.stringify(args)))
}

/** The search language for executions; schedules are searched differently. */
export const SEARCHES = fc.constantFrom(
  '', 'Error', 'status:failed took:>=0ms "as it"', 'args.deep:null', 'since:24h task:none', 'id:e-1 status:running', '日報'
)
