import { TASK_NAME_PATTERN } from '../../../schemas/limits.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { taskNameOf } from '../../engine/observing/observed-source.ts'
import { queueTaskOf } from '../../engine/observing/job-task.ts'
import { hasAtMost } from '../../input/has-at-most.ts'
import { isUnset, unsetProblems } from '../../input/unset-problems.ts'
import { isObject } from '../../json/is-object.ts'
import type { PostgresSource } from '../../stores/postgres/source/postgres-source.ts'
import { parseRedisSource, type RedisSource } from '../../stores/redis/source/redis-source.ts'
import { parseStoreSource } from '../../stores/source/parse-store-source.ts'
import type { Store } from '../../stores/store.ts'
import { resolveQueueAppOptions, type QueueAppOptions, type ResolvedQueueAppOptions } from '../options.ts'
import type { ObserveOptions } from './observe-options.ts'
import type { BullmqQueue, ObservationOptions, QueuesLook, QueuesSource } from './queues-source.ts'
import { DEFAULT_SCHEMA, isOfPostgres, postgresOfQueue } from './sources/postgres-of-queue.ts'
import { redisOfQueue } from './sources/redis-of-queue.ts'

export interface ResolvedSource {
  readonly source: RedisSource | PostgresSource
  readonly prefix: string
  readonly queues: readonly string[] | 'all'
  readonly label: string | null
}

const MAX_SOURCES = 1_000
const MAX_PREFIX_LENGTH = 500
const MAX_LABEL_LENGTH = 40
/** BullMQ's own defaults. */
const DEFAULT_PREFIX = { redis: 'bull', postgres: DEFAULT_SCHEMA } as const
const UNSET = {
  broker: null, prefix: 'the prefix "bull"', queues: 'all queues', label: 'no label'
} as const

const OBSERVATION_OPTIONS: readonly string[] = ['onLook', 'manage', 'names'] satisfies Array<keyof ObservationOptions>
const OBSERVE_OPTIONS: readonly string[] = ['backend', 'namespace', 'appName', 'retention', 'redact', 'onError', ...OBSERVATION_OPTIONS]

/** How queues are observed. */
export interface ResolvedObservation {
  readonly manage: boolean
  readonly names: boolean
  readonly onLook: (look: QueuesLook) => void
}

export interface ResolvedObserveOptions extends ResolvedQueueAppOptions, ResolvedObservation {
  readonly endsWithProcess: boolean
}

/**
 * Resolves the options of an app that only observes existing queues. Its own default namespace keeps it apart from apps with tasks in
 * the same store.
 */
export function resolveObserveOptions(options: ObserveOptions = {}): ResolvedObserveOptions {
  if (!isObject(options)) throw createTaskDashboardError('INVALID_OPTIONS', ['options must be an object'])
  const problems = [
    ...Object.keys(options).filter(key => !OBSERVE_OPTIONS.includes(key)).map(key => `${key} is not an option`),
    ...observationProblems(options),
    ...unsetProblems(options, { backend: 'a history in memory, which ends with this process' }).values()
  ]
  if (problems.length > 0) throw createTaskDashboardError('INVALID_OPTIONS', [problems.join('; ')])
  const { onLook, manage, names, ...others } = options
  const endsWithProcess = others.backend === undefined
  const resolved = resolveQueueAppOptions({ namespace: 'observed', ...others, ...endsWithProcess && { backend: 'embedded:' } })
  return { ...resolved, endsWithProcess, ...toObservation(options) }
}

/** Existing queues that an app shows beside its own tasks. */
export interface ResolvedQueues extends ResolvedObservation {
  readonly sources: readonly ResolvedSource[]
}

/**
 * Splits the options of an app with tasks of its own: `queues` has the options of existing queues, or is null if there are none; `resolved`
 * has all others.
 * @throws INVALID_OPTIONS
 */
export function resolveOptionsWithQueues(
  options: QueueAppOptions | undefined
): { readonly resolved: ResolvedQueueAppOptions; readonly queues: ResolvedQueues | null } {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return { resolved: resolveQueueAppOptions(options), queues: null }
  const { queues, manage, names, onLook, ...others } = options
  const observation = { manage, names, onLook }
  const without = Object.keys(options).filter(key => OBSERVATION_OPTIONS.includes(key))
  const problems = 'queues' in options
    ? [...observationProblems(observation), ...isUnset(queues) ? ['queues is not set: leave it out if there are no existing queues'] : []]
    : without.map(name => `${name} is only for existing queues: set \`queues\``)
  if (problems.length > 0) throw createTaskDashboardError('INVALID_OPTIONS', [problems.join('; ')])
  const resolved = resolveQueueAppOptions(others)
  if (!('queues' in options)) return { resolved, queues: null }
  const sources = resolveSources(queues, 'queues')
  const clashing = Object.keys(resolved.tasks).flatMap(taskName => {
    const clash = clashWith(sources, taskName)
    return clash === null ? [] : [`tasks[${JSON.stringify(taskName)}] ${clash}`]
  })
  if (clashing.length > 0) throw createTaskDashboardError('INVALID_OPTIONS', [clashing.join('; ')])
  return { resolved, queues: { sources, ...toObservation(observation) } }
}

/** Why a task cannot have this name, given the queues that the sources list by name; null if it can. */
export function clashWith(sources: readonly ResolvedSource[], taskName: string): string | null {
  const queueTask = queueTaskOf(taskName)
  const isNamed = sources.some(({ queues, label }) => queues !== 'all' && queues.some(name => taskNameOf(label, name) === queueTask))
  return isNamed ? clashText(queueTask) : null
}

export function clashText(queueTask: string): string {
  return `has the name of the existing queue ${JSON.stringify(queueTask)}: give the source of the queue a \`label\`, or the task another ` +
    'name'
}

/** Refuses sources with the prefix of this app's own queues, on any server: those queues would be shown twice. */
export function refuseOwnQueues(sources: readonly ResolvedSource[], broker: Store): void {
  const own = broker.kind === 'redis' ? broker.keyPrefix : `${broker.schema}_queue`
  const isOwn = sources.some(({ source, prefix }) => source.kind === broker.kind && prefix === own)
  if (!isOwn) return
  throw createTaskDashboardError('INVALID_OPTIONS', [`queues has the prefix ${JSON.stringify(own)}, which this app's own queues have: ` +
    'they are shown anyway. For the queues of another app with this namespace, give this app another `namespace`'])
}

type Given = { readonly [Option in keyof ObservationOptions]?: ObservationOptions[Option] | undefined }

function observationProblems({ onLook, ...flags }: Given): string[] {
  return [
    ...(['manage', 'names'] as const).filter(name => ![undefined, true, false].includes(flags[name]))
      .map(name => `${name} must be true or false`),
    ...onLook !== undefined && typeof onLook !== 'function' ? ['onLook must be a function'] : []
  ]
}

function toObservation({ onLook = () => {}, manage = false, names = true }: Given): ResolvedObservation {
  return { manage, names, onLook: withoutErrors(onLook) }
}

/** An error in the host's callback must not end a scan. */
function withoutErrors(onLook: NonNullable<ObservationOptions['onLook']>): (look: QueuesLook) => void {
  return look => {
    try {
      onLook(look)
    } catch {
      // The callback only reports progress.
    }
  }
}

/**
 * Throws INVALID_OPTIONS with all problems in one message. Also throws what parsing a connection throws.
 * @param called the name of the option, for error messages
 */
export function resolveSources(given: unknown, called = 'source'): readonly ResolvedSource[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  const problems: string[] = []
  if (list.length === 0) problems.push('there are no queues to observe: the list is empty (is a configuration not set?)')
  if (list.length > MAX_SOURCES)
    problems.push(`there are ${list.length} sources, and at most ${MAX_SOURCES} are possible: use queues: 'all'`)
  const resolved = list.slice(0, MAX_SOURCES).flatMap((each, index) => {
    const place = Array.isArray(given) ? `${called}[${index}]` : called
    return resolveOne(each, problem => { problems.push(`${place} ${problem}`) })
  })
  if (problems.length === 0) problems.push(...clashes(resolved))
  if (problems.length > 0) throw createTaskDashboardError('INVALID_OPTIONS', [problems.join('; ')])
  return resolved
}

function resolveOne(given: unknown, refuse: (problem: string) => void): ResolvedSource[] {
  if (typeof given !== 'object' || given === null) {
    refuse('must be a BullMQ Queue, or { broker, prefix, queues, label }')
    return []
  }
  if (isQueue(given)) return ofQueue(given, refuse)
  const other = otherObject(given)
  if (other === null) return ofSource(given, refuse)
  refuse(other)
  return []
}

/** Says what an object is that is easily taken for a BullMQ queue; null if it is none of them. */
function otherObject(given: object): string | null {
  if ('broker' in given) return null
  if ('queue' in given && isObject(given.queue)) return 'is an adapter of bull-board: pass the BullMQ queue itself'
  return 'keyPrefix' in given && 'process' in given
    ? 'is a queue of Bull, the predecessor of BullMQ, which is not supported: only queues of BullMQ 5 and 6 are'
    : null
}

function isQueue(given: object): given is BullmqQueue {
  return !('broker' in given) && 'name' in given && typeof given.name === 'string' && 'opts' in given && typeof given.opts === 'object'
}

function ofQueue(queue: BullmqQueue, refuse: (problem: string) => void): ResolvedSource[] {
  const { name } = queue
  const { connection, prefix = DEFAULT_PREFIX.redis } = queue.opts as { connection?: unknown; prefix?: unknown }
  const refuseIt = (problem: string, broker: string, otherPrefix: string): ResolvedSource[] => {
    refuse(`(the queue ${JSON.stringify(name)}) ${problem}: use { broker: '${broker}://…', prefix: ${JSON.stringify(otherPrefix)}, ` +
      `queues: [${JSON.stringify(name)}] }`)
    return []
  }
  const kind = kindOfQueue(queue, connection, prefix)
  if (kind === null) return refuseIt('is on a server that is not known here', 'redis', DEFAULT_PREFIX.redis)
  if (kind === 'postgres') {
    const found = postgresOfQueue(connection)
    return 'problem' in found
      ? refuseIt(`has a connection to PostgreSQL that cannot be copied (${found.problem})`, 'postgres', found.schema)
      : [{ source: found.source, prefix: found.schema, queues: [name], label: null }]
  }
  const redis = redisOfQueue(connection)
  return redis === null
    ? refuseIt('has a connection that is not one of ioredis', 'redis', String(prefix))
    : [{ source: parseRedisSource(redis, 'redis:', 'broker'), prefix: String(prefix), queues: [name], label: null }]
}

/** On PostgreSQL, BullMQ's full name of a queue is its name. Null for a server that BullMQ itself does not support. */
function kindOfQueue({ name, qualifiedName }: BullmqQueue, connection: unknown, prefix: unknown): 'redis' | 'postgres' | null {
  if (qualifiedName === undefined) return isOfPostgres(connection) ? 'postgres' : typeof prefix === 'string' ? 'redis' : null
  if (qualifiedName === name) return 'postgres'
  return typeof prefix === 'string' && qualifiedName === `${prefix}:${name}` ? 'redis' : null
}

function ofSource(given: Partial<QueuesSource>, refuse: (problem: string) => void): ResolvedSource[] {
  const { broker, prefix, queues = 'all', label, ...others } = given
  const problems = [
    ...Object.keys(others).map(key => `has ${JSON.stringify(key.slice(0, 100))}, which is not an option`),
    ...[...unsetProblems(given, UNSET).values()].map(problem => `: ${problem}`),
    broker === undefined && !('broker' in given) && 'needs `broker`, the URL of the server: { broker: \'redis://localhost:6379\' }',
    prefix !== undefined && !isUnset(prefix) && !(typeof prefix === 'string' && prefix.length <= MAX_PREFIX_LENGTH) &&
      `has a prefix that is not a text of at most ${MAX_PREFIX_LENGTH} characters`,
    !isUnset(queues) && queues !== 'all' && !isNames(queues) &&
      'has queues that are neither \'all\' nor a list of names: 1 or more, each without \':\'',
    label !== undefined && !isLabel(label) && 'has a label that is not 1 to 40 characters without : and /'
  ].filter(problem => problem !== false)
  if (problems.length > 0) {
    problems.forEach(refuse)
    return []
  }
  const source = parseStoreSource(broker!, 'broker')
  if (source.kind !== 'redis' && source.kind !== 'postgres') {
    refuse('is on the embedded store, whose queues no other code fills')
    return []
  }
  const names = queues === 'all' ? queues : [...new Set(queues)]
  return [{ source, prefix: prefix ?? DEFAULT_PREFIX[source.kind], queues: names, label: label ?? null }]
}

/** In an id, the name of the task ends at the first colon. */
function isLabel(label: unknown): boolean {
  return typeof label === 'string' && label !== '' && hasAtMost(label, MAX_LABEL_LENGTH) && PRINTABLE_NAME.test(label) &&
    !/[:/]/.test(label)
}

const PRINTABLE_NAME = new RegExp(TASK_NAME_PATTERN, 'u')

function isNames(names: unknown): names is readonly string[] {
  return Array.isArray(names) && names.length > 0 && names.every(name => typeof name === 'string' && name !== '' && !name.includes(':'))
}

/** Finds queues that would become the same task. */
function clashes(sources: readonly ResolvedSource[]): string[] {
  const seen = new Map<string, string>()
  const problems = new Set<string>()
  const whole = new Map<string | null, number>()
  for (const { queues, label } of sources) if (queues === 'all') whole.set(label, (whole.get(label) ?? 0) + 1)
  for (const { source, prefix, queues, label } of sources) {
    if ((whole.get(label) ?? 0) > (queues === 'all' ? 1 : 0)) {
      problems.add('several sources may have queues of the same name: give each of them a `label`')
      continue
    }
    if (queues === 'all') continue
    for (const name of queues) {
      const taskName = taskNameOf(label, name)
      const place = `${source.identity} ${prefix}`
      if (seen.has(taskName)) problems.add(`there are two queues ${JSON.stringify(taskName)}: give their sources different labels`)
      seen.set(taskName, place)
    }
  }
  return [...problems]
}
