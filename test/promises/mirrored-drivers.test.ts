import { basename, dirname } from 'node:path'
import t from 'tap'
import { listFiles, readText } from '../support/source-files.ts'

/** Folders of two drivers of one port. Each file of one has a namesake in the other, except for those listed with the reason. */
const OBSERVING = {
  redis: 'lib/engine/observing/redis', postgres: 'lib/engine/observing/postgres',
  alone: {
    'redis/first-seen.ts': 'A row of PostgreSQL always has the time when the job was added',
    'redis/listed-at.ts': 'A finished job has a score beside its own time; a row of PostgreSQL has one time',
    'redis/odd-keys.ts': 'Another tool can keep a key of any type under the prefix; a column has one type',
    'redis/owners-versions.ts': 'On PostgreSQL every owner has version 6',
    'redis/read-key.ts': 'Reads one key of a queue. PostgreSQL has no keys',
    'redis/read-process.ts': 'How a replaced server is recognised; PostgreSQL numbers its events',
    'redis/refused-queues.ts': 'A user may read some keys only; on PostgreSQL a whole schema is refused while it is scanned',
    'postgres/fair-reads.ts': 'One schema can be locked while the others are read',
    'postgres/job-row.ts': 'The columns of a job. On Redis its fields are in observed-job.ts, beside the port'
  }
}

/** Files `redis-x.ts` and `sql-x.ts` in one folder. Each has its counterpart, except for those listed with the reason. */
const PREFIXED_ALONE: Readonly<Record<string, string>> = {
  'lib/engine/connection/redis-backend.ts': 'Replaces a part of BullMQ, which on PostgreSQL is not needed',
  'lib/engine/queues/redis-queue-index.ts': 'An index of queues that hold something; PostgreSQL has indexes of its own',
  'lib/engine/queues/sql-job-lists.ts': 'SQL that own tasks and existing queues share'
}

t.test('the drivers that observe existing queues have the same file names', async t => {
  const [redis, postgres] = [namesIn(OBSERVING.redis, 'redis'), namesIn(OBSERVING.postgres, 'postgres')]
  const both = [...redis.keys()].filter(name => postgres.has(name))
  t.ok(both.length > 8, `${both.length} names in both`)
  const alone = [
    ...[...redis].filter(([name]) => !postgres.has(name)).map(([, file]) => `redis/${file}`),
    ...[...postgres].filter(([name]) => !redis.has(name)).map(([, file]) => `postgres/${file}`)
  ]
  t.same(alone.toSorted(), Object.keys(OBSERVING.alone).toSorted())
})

t.test('what two drivers both export is in files of the same name', async t => {
  for (const folder of ['lib/backend', 'lib/engine/observing']) {
    const [redis, postgres] = [exportsOf(`${folder}/redis`), exportsOf(`${folder}/postgres`)]
    const both = [...redis.keys()].filter(name => postgres.has(name))
    t.ok(both.length > 15, `${both.length} names in both drivers of ${folder}`)
    t.same(both.filter(name => redis.get(name) !== postgres.get(name)).map(name => [name, redis.get(name), postgres.get(name)]), [], folder)
  }
})

t.test('the drivers of the history have the same folders', async t => {
  const foldersOf = (driver: string): string[] =>
    [...new Set(listFiles(`lib/backend/${driver}`).map(path => dirname(path).slice(`lib/backend/${driver}`.length)))].toSorted()
  t.ok(foldersOf('redis').length > 4)
  t.same(foldersOf('redis'), foldersOf('postgres'))
})

t.test('a file for Redis has its counterpart for SQL beside it, and the reverse', async t => {
  const files = ['lib/engine', 'lib/stores/answers', 'lib/stores/audit', 'lib/stores/documents']
    .flatMap(folder => listFiles(folder, /\/(redis|sql)-[a-z-]+\.ts$/)).filter(path => !path.startsWith('lib/engine/observing/'))
  t.ok(files.length > 15, `${files.length} files`)
  const counterpart = (path: string): string => path.replace(/\/(redis|sql)-([a-z-]+\.ts)$/, (_, kind, rest) =>
    `/${kind === 'redis' ? 'sql' : 'redis'}-${rest}`)
  t.same(files.filter(path => !files.includes(counterpart(path))).toSorted(), Object.keys(PREFIXED_ALONE).toSorted())
})

/** By the name without the driver's: `redis-server.ts` and `postgres-server.ts` are namesakes. */
function namesIn(folder: string, driver: string): Map<string, string> {
  return new Map(listFiles(folder, /\.ts$/).map(path => [basename(path).replace(`${driver}-`, ''), path.slice(folder.length + 1)]))
}

/** The file in the folder of a driver that exports each name. */
function exportsOf(folder: string): Map<string, string> {
  return new Map(listFiles(folder, /\.ts$/).flatMap(path =>
    [...readText(path).matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(([, name]) =>
      [name!, path.slice(folder.length + 1)] as const)))
}
