import type { FastifyRequest } from 'fastify'
import { withDeadline } from '../../time/deadline.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { DECISION_DEADLINE_MS } from './decision.ts'
import { statusOf } from '../http/error-handler.ts'
import type { Identify, ResolvedOptions } from '../options.ts'

/** Who asks. */
export interface KnownUser {
  /** Shown in the interface. */
  readonly name: string
  /** What a change is put down with, and tells users of one name apart: `Ana Silva (u-17)`. */
  readonly label: string
}

/** Null: not known. Rejects with IDENTIFY_FAILED, or a refusal with the status (4xx) that the host gave its error. */
export type UserReader = (request: FastifyRequest) => Promise<KnownUser | null>

/** Asks the host once a request and only where somebody needs to know. Without an answer of the host it is the user of basic auth. */
export function createUserReader({ identify, auth }: Pick<ResolvedOptions, 'identify' | 'auth'>): UserReader {
  const known = new WeakMap<FastifyRequest, Promise<KnownUser | null>>()
  // Whoever gets as far as being asked for with basic auth on gave this name.
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
    const status = statusOf(reason)
    // As with authorize: its status is an answer, its text may be anybody's.
    if (status >= 400 && status < 500) throw Object.assign(new Error('identify refused', { cause: reason }), { statusCode: status })
    throw createTaskDashboardError('IDENTIFY_FAILED', [request.id], { cause: reason })
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
/** Control characters, those that turn the direction of the text around them, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** Nothing is cut or replaced: two users may differ in just that. */
function checked(what: string, text: unknown): string {
  if (typeof text !== 'string') throw new TypeError(`identify returned ${what} that is not a string`)
  if (text.trim() === '') throw new TypeError(`identify gave ${what} that is empty: give null where nobody is signed in`)
  if (text.length > MAX_LENGTH) throw new TypeError(`identify returned ${what} of ${text.length} characters; the limit is ${MAX_LENGTH}`)
  if (UNPRINTABLE.test(text)) throw new TypeError(`identify returned ${what} with unprintable characters`)
  return text
}
