import { randomBytes } from 'node:crypto'
import { REDIS_TRIAL_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import { READ_ONLY, writeRefusalOf } from '../../failures/write-refusal.ts'
import type { RedisClient, StoreOptions } from '../../store.ts'
import { neededCommands, trialOf, type NeededCommand } from './needed-commands.ts'

/** The rights and commands that are missing on a server. Commands are in capitals. */
export interface MissingRights {
  /** Commands that the user may not run. */
  readonly forbidden: readonly string[]
  /** Commands that the server does not have under these names. */
  readonly unknown: readonly string[]
  /** Whether the user may not use our keys. */
  readonly areKeysForbidden: boolean
  /** The server says that another cluster node has our keys, although nothing showed before that it is in a cluster. */
  readonly isClusterNode: boolean
}

/** Refuses a replica, and a user or server that lacks something, and names it. Throws STORE_UNSUITABLE, or the client's error. */
export async function checkRights(
  client: RedisClient, keyPrefix: string, { role }: Pick<StoreOptions, 'role'>, label: string
): Promise<void> {
  const trials = await tryCommands(client, keyPrefix, role)
  const refuse = (problem: string): never => { throw createTaskDashboardError('STORE_UNSUITABLE', [role, label, problem]) }
  if (trials.some(({ error }) => writeRefusalOf(error) === READ_ONLY))
    refuse('it is a read-only replica: use the address of the primary')
  const missing = missingFrom(trials, client)
  if (missing === null) return
  const { reason, remedy } = describeMissing(missing, keyPrefix)
  refuse(`${reason}. ${remedy}`)
}

/** @returns null if nothing is missing. Rejects if the server does not answer */
export async function findMissingRights(client: RedisClient, keyPrefix: string, role: StoreOptions['role']): Promise<MissingRights | null> {
  return missingFrom(await tryCommands(client, keyPrefix, role), client)
}

interface Trial { readonly command: string; readonly error: unknown }

/**
 * Tries every needed command in one round trip, on a separate key that expires within seconds. Asks nothing else of the server: `ACL`,
 * `INFO` and `COMMAND` may be forbidden too.
 */
async function tryCommands(client: RedisClient, keyPrefix: string, role: StoreOptions['role']): Promise<Trial[]> {
  const key = `${keyPrefix}:~preflight:${randomBytes(6).toString('hex')}`
  const commands = neededCommands(role).filter(command => !IN_TRANSACTION.has(command))
  // Two keys, because a pattern may match only one.
  const trials: Array<readonly [string, string[]]> = [
    ['exists', [keyPrefix]], ...commands.map(command => [command, trialOf(command, key)] as const)
  ]
  const pipeline = client.pipeline()
  for (const [command, args] of trials) pipeline.call(command, ...args)
  const [answers, transaction] = await withDeadline(Promise.all([
    pipeline.exec(),
    role === 'broker' ? errorOf(client.multi().exists(key).exec()) : null
  ]), REDIS_TRIAL_MS, 'no answer')
  return [
    ...(answers ?? []).map(([error], index) => ({ command: trials[index]![0], error })),
    { command: 'exec', error: transaction },
    ...earlierErrors(transaction).map(error => ({ command: 'multi', error }))
  ]
}

function missingFrom(trials: readonly Trial[], client: RedisClient): MissingRights | null {
  const forbidden = new Set<string>()
  const unknown = new Set<string>()
  let areKeysForbidden = false
  let isClusterNode = false
  const judge = (tried: string, error: unknown): void => {
    const text = error instanceof Error ? error.message : ''
    const command = /(?:run the|unknown command) ['`]([\w|]{1,40})['`]/.exec(text)?.[1] ?? tried
    if (/^MOVED /.test(text)) isClusterNode = true
    else if (/permissions to access|can't access/.test(text)) areKeysForbidden = true
    else if (/\bNOPERM\b/.test(text)) forbidden.add(command.toUpperCase())
    else if (/\bERR (?:unknown command|(?:command|this command) (?:is )?(?:not (?:allowed|available|supported|permitted)|disabled))/i.test(text))
      unknown.add(command.toUpperCase())
  }
  for (const { command, error } of trials) judge(command, error)
  // A cluster client follows redirections.
  if (client.isCluster) isClusterNode = false
  if (forbidden.size + unknown.size === 0 && !areKeysForbidden && !isClusterNode) return null
  return { forbidden: [...forbidden].sort(), unknown: [...unknown].sort(), areKeysForbidden, isClusterNode }
}

/** Texts for errors and health: the reason, part of a sentence, and the remedy, a sentence. */
export function describeMissing(
  { forbidden, unknown, areKeysForbidden, isClusterNode }: MissingRights, keyPrefix: string
): { reason: string, remedy: string } {
  const rules = [
    ...areKeysForbidden ? [`'~${keyPrefix}*'`] : [], ...forbidden.map(command => `+${command.toLowerCase()}`),
    ...isClusterNode ? ['+info', '+cluster'] : []
  ]
  const reason = [
    ...forbidden.length > 0 ? [`its user may not run ${forbidden.join(', ')}`] : [],
    ...areKeysForbidden ? [`its user may not use the keys ${keyPrefix}*`] : [],
    ...isClusterNode ? ['it is a node of a cluster whose user may run neither INFO nor CLUSTER, which tell where the keys are'] : [],
    ...unknown.length > 0 ? [`it does not know ${unknown.join(', ')}`] : []
  ].join(', and ')
  const remedy = [
    ...rules.length > 0 ? [`Grant it: ACL SETUSER <its name> ${rules.join(' ')} (docs/your-store.md has the whole line)`] : [],
    ...unknown.length > 0 ? ['Restore the original names of the commands (rename-command), or use another server'] : []
  ].join('. ')
  return { reason, remedy }
}

/** In a pipeline, commands between these two would be answered with QUEUED. */
const IN_TRANSACTION: ReadonlySet<string> = new Set<NeededCommand>(['multi', 'exec'])

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(() => null, (error: unknown) => error)
}

/** Without MULTI, EXEC fails too, and its error only says that there was no MULTI. */
function earlierErrors(error: unknown): readonly unknown[] {
  return error instanceof Error && 'previousErrors' in error && Array.isArray(error.previousErrors) ? error.previousErrors : []
}
