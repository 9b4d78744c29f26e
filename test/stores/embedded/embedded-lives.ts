import { createStore } from '../../../lib/stores/create-store.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'

// A process with an embedded store, with several ways to end.
const [what, url] = process.argv.slice(2) as [string, string]
const store = createStore(url, {
  namespace: 'lives', role: 'broker', onError: error => console.log('lost', 'code' in error ? error.code : '', error.message)
}) as SqlStore
await store.start()

switch (what) {
  case 'ends-by-itself':
    console.log('started')
    await store.query('SELECT count(*) FROM generate_series(1, 300000)')
    console.log('answered')
    process.on('exit', () => console.log('the end is near'))
    break
  case 'exits-at-work':
    await store.query('CREATE TABLE public.kept AS SELECT 1 AS number')
    void store.query('SELECT count(*) FROM generate_series(1, 100000000)').catch(() => {})
    setTimeout(() => process.exit(7), 50)
    break
  case 'out-of-memory':
    await store.query('CREATE TABLE public.kept AS SELECT 1 AS number')
    await store.pool.query(
      'SELECT number, number::text || repeat(\'é\', 10) AS text FROM generate_series(1, 20000000) AS number'
    ).catch(() => {})
    console.log('kept', (await store.query('SELECT number FROM public.kept')).rows[0]!.number)
    await store.stop()
}
