import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import basicAuth from '@fastify/basic-auth'
import { createTaskDashboardError } from '../../errors.ts'
import type { Authenticate } from './access-hook.ts'
import type { ResolvedOptions } from '../options.ts'
import { clientAddressOf } from './client-address.ts'
import type { RateLimits } from './rate-limits.ts'

/** HTTP basic authentication for the access hook; null if it is not configured. */
export async function createAuthenticate(
  app: FastifyInstance, auth: ResolvedOptions['auth'], limits: RateLimits
): Promise<Authenticate | null> {
  if (!auth) return null
  const username = digestOf(auth.username)
  const password = digestOf(auth.password)

  await app.register(basicAuth, {
    authenticate: { realm: auth.realm },
    async validate(givenUsername, givenPassword) {
      // Compares both, and as digests of equal length, so that timing reveals nothing.
      const isUser = timingSafeEqual(digestOf(givenUsername), username)
      const isPassword = timingSafeEqual(digestOf(givenPassword), password)
      if (!(Number(isUser) & Number(isPassword))) throw createTaskDashboardError('UNAUTHENTICATED')
    }
  })

  const check = app.basicAuth
  const verify = (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => new Promise(resolve => {
    check.call(app, request, reply, error => { resolve(!error) })
  })
  // One at a time. Otherwise all requests that arrive in one packet would be checked before the first wrong password is counted.
  let last: Promise<void> = Promise.resolve()
  return (request, reply) => {
    const attempt = last.then(() => signIn(request, reply))
    last = attempt.catch(() => {})
    return attempt
  }

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const address = clientAddressOf(request)
    // Also refuses the right password, or a correct guess would still get in.
    const seconds = await limits.refusesSignIn(address)
    if (seconds !== null) throw createTaskDashboardError('TOO_MANY_SIGN_INS', [seconds], { retryAfterSeconds: seconds })
    if (await verify(request, reply)) return
    // Browsers send the first request without a password.
    if (request.headers.authorization !== undefined) await limits.countFailedSignIn(address)
    throw createTaskDashboardError('UNAUTHENTICATED')
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
