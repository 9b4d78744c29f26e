import type { FastifyRequest } from 'fastify'
import { withDeadline } from '../../time/deadline.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { DECISION_DEADLINE_MS, refusalOfHost } from './decision.ts'
import type { Identify, ResolvedOptions } from '../options.ts'

/** The user who makes a request. */
export interface KnownUser {
  /** Shown in the interface. */
  readonly name: string
  /** Recorded with changes. Distinguishes users with the same name: `Ana Silva (u-17)`. */
  readonly label: string
}

/** Null if unknown. Rejects with IDENTIFY_FAILED, or with the status (4xx) that the host set on its error. */
export type UserReader = (request: FastifyRequest) => Promise<KnownUser | null>

/** Calls the host at most once per request, and only when the user is needed. If the host names no one, it is the basic auth user. */
export function createUserReader({ identify, auth }: Pick<ResolvedOptions, 'identify' | 'auth'>): UserReader {
  const known = new WeakMap<FastifyRequest, Promise<KnownUser | null>>()
  // With basic auth, every request that gets here was sent with this user name.
  const authenticated = auth === null ? null : { name: auth.username, label: auth.username }

  return request => {
    if (identify === null) return Promise.resolve(authenticated)
    const asked = known.get(request) ?? ask(identify, request).then(user => user ?? authenticated)
    known.set(request, asked)
    return asked
  }
}

async function ask(identify: Identify, request: FastifyRequest): Promise<KnownUser | null> {
  try {
    return toUser(await withDeadline((async () => identify(request))(), DECISION_DEADLINE_MS, 'identify did not answer'))
  } catch (reason) {
    throw refusalOfHost('identify', reason, createTaskDashboardError('IDENTIFY_FAILED', [request.id], { cause: reason }))
  }
}

function toUser(said: unknown): KnownUser | null {
  if (said === null || said === undefined) return null
  if (typeof said === 'string') return { name: checked('a user', said), label: said }
  if (typeof said !== 'object') throw new TypeError(`identify returned a ${typeof said}: it must return a string, { id, name } or null`)
  const { id, name } = said as { id?: unknown; name?: unknown }
  const known = checked('an id', id)
  if (name === undefined || name === null || name === id) return { name: known, label: known }
  const shown = checked('a name', name)
  return { name: shown, label: `${shown} (${known})` }
}

const MAX_LENGTH = 200
/** Control characters, bidirectional overrides, and unpaired surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** Rejects instead of cutting or replacing, because two users may differ only in that part. */
function checked(what: string, text: unknown): string {
  if (typeof text !== 'string') throw new TypeError(`identify returned ${what} that is not a string`)
  if (text.trim() === '') throw new TypeError(`identify returned ${what} that is empty: return null if no one is signed in`)
  if (text.length > MAX_LENGTH) throw new TypeError(`identify returned ${what} of ${text.length} characters; the limit is ${MAX_LENGTH}`)
  if (UNPRINTABLE.test(text)) throw new TypeError(`identify returned ${what} with unprintable characters`)
  return text
}
